import type { ListKind } from './list'

export type CheckStatus = 'pass' | 'warning' | 'fail'

/** Something that a check found; `link` leads to it, if the client shows it. */
export type Finding = { id: string; name: string; link: string | null; detail: string | null }

/** A check, and what the last nightly run found. */
export type Check = {
  check_key: string
  name: string
  is_repairable: boolean
  last_total: number | null
  last_checked_at: string | null
}

/** What a check finds now: the number of findings, and the first few. */
export type CheckResult = {
  status: CheckStatus
  total: number
  findings: readonly Finding[]
  /** The code of the error, if the check could not be made (ADMIN-INTEG-10). */
  error: string | null
}

export type CheckedCheck = Check & CheckResult

/** The check whose findings are listed; '' lists the checks. */
export const integrityList: ListKind = {
  tab: 'integrity',
  filters: ['check'],
  sorts: ['name', 'detail'],
  defaultSort: { key: 'name', descending: false },
}

/** The numbers of the summary (ADMIN-INTEG-01). */
export function countStatuses(results: readonly CheckResult[]) {
  const having = (status: CheckStatus) => results.filter((one) => one.status === status).length
  return {
    total: results.length,
    passed: having('pass'),
    warnings: having('warning'),
    failed: having('fail'),
  }
}

const urgency: readonly CheckStatus[] = ['fail', 'warning', 'pass']

/** The most urgent first; otherwise in the order of the checks. */
export function byUrgency<Result extends CheckResult>(results: readonly Result[]): Result[] {
  return results.toSorted((a, b) => urgency.indexOf(a.status) - urgency.indexOf(b.status))
}

/** The time of the last nightly run; null if there was none. */
export function lastRun(checks: readonly Check[]): string | null {
  return checks.reduce<string | null>(
    (latest, { last_checked_at: at }) =>
      at !== null && (latest === null || at > latest) ? at : latest,
    null,
  )
}
