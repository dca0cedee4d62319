import { writeFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'

/** How many lines of an error are listed. */
const maxLines = 15

/**
 * Counts how often each test passes, and lists those that do not always pass with the error of the
 * first failure: in the file E2E_REPORT if that is set, otherwise on standard output.
 */
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
    const list = unstable.map(([name, { green, all, first }]) => {
      const lines = stripVTControlCharacters(first).split('\n').slice(0, maxLines)
      return `${green} of ${all} green: ${name}\n${lines.map((line) => `    ${line}\n`).join('')}\n`
    })
    const report = `${list.join('')}${this.runs.size} tests, ${unstable.length} not always passing\n`
    if (process.env.E2E_REPORT) writeFileSync(process.env.E2E_REPORT, report)
    else process.stdout.write(report)
  }

  printsToStdio(): boolean {
    return process.env.E2E_REPORT === undefined
  }
}
