import type { EventType } from './event'

/** The number of events of each type in the last 30 days; missing types have none. */
export type Overview = ReadonlyMap<string, number>

export function countOf(overview: Overview, type: EventType): number {
  return overview.get(type) ?? 0
}

/** Reports whether somebody else may have tried to sign in. */
export function isWorrying(overview: Overview): boolean {
  return countOf(overview, 'failed_login') >= 3 || countOf(overview, 'account_locked') > 0
}
