import { describe, expect, it } from 'vitest'
import { byUrgency, type CheckStatus, countStatuses, lastRun } from './integrity'

const result = (status: CheckStatus, name = '') => ({
  status,
  name,
  total: 0,
  findings: [],
  error: null,
})

describe('ADMIN-INTEG-01: the numbers of the summary', () => {
  it('counts each status', () =>
    expect(
      countStatuses([result('pass'), result('fail'), result('pass'), result('warning')]),
    ).toEqual({ total: 4, passed: 2, warnings: 1, failed: 1 }))
})

describe('ADMIN-INTEG-02: the most urgent results come first', () => {
  it('keeps the order of equals', () =>
    expect(
      byUrgency([
        result('pass', 'a'),
        result('warning', 'b'),
        result('fail', 'c'),
        result('warning', 'd'),
      ]).map(({ name }) => name),
    ).toEqual(['c', 'b', 'd', 'a']))
})

describe('the last nightly run', () => {
  const check = (last_checked_at: string | null) => ({
    check_key: 'x',
    name: 'x',
    is_repairable: false,
    last_total: null,
    last_checked_at,
  })
  it('is the latest check of it', () =>
    expect(
      lastRun([check('2026-11-26T02:00:01Z'), check(null), check('2026-11-26T02:00:05Z')]),
    ).toBe('2026-11-26T02:00:05Z'))
  it('is unknown before the first', () => expect(lastRun([check(null)])).toBeNull())
})
