import type { EventType } from './event'

/** How often each type of event has happened in the last 30 days; what is missing has not. */
export type Overview = ReadonlyMap<string, number>

export function countOf(overview: Overview, type: EventType): number {
  return overview.get(type) ?? 0
}

/** Whether somebody else may have tried to get in. */
export function isWorrying(overview: Overview): boolean {
  return countOf(overview, 'failed_login') >= 3 || countOf(overview, 'account_locked') > 0
}
