import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'

/** Counts how often each test passes, and lists those that do not always pass. */
export default class FlakyReporter implements Reporter {
  private readonly runs = new Map<string, { green: number; all: number; first: string }>()

  onTestEnd(journey: TestCase, result: TestResult): void {
    if (result.status === 'skipped') return
    const [, size, file, ...titles] = journey.titlePath()
    const name = `[${size}] ${file} › ${titles.join(' › ')}`
    const run = this.runs.get(name) ?? { green: 0, all: 0, first: '' }
    run.all++
    if (result.status === 'passed') run.green++
    else run.first ||= result.error?.message ?? result.status
    this.runs.set(name, run)
  }

  onEnd(): void {
    const unstable = [...this.runs].filter(([, { green, all }]) => green < all)
    for (const [name, { green, all, first }] of unstable) {
      console.log(`${green} of ${all} green: ${name}\n${first.replace(/^/gm, '    ')}\n`)
    }
    console.log(`${this.runs.size} tests, ${unstable.length} not always passing`)
  }

  printsToStdio(): boolean {
    return true
  }
}
