import { queryOptions } from '@tanstack/react-query'
import { AppError, toAppError, unwrap } from '@/lib/errors'
import { readPage } from '@/lib/paged'
import { db } from '@/lib/supabase'
import type { RowResult } from '../model/decision'
import type { Check, CheckedCheck, CheckResult, Finding } from '../model/integrity'
import { adminPageSize, type ListState } from '../model/list'
import { isAccessLost } from '../model/refusal'
import { containing } from '../model/ticket'
import { adminKeys } from './keys'
import { alwaysFresh, sharedList } from './list-options'

// The generated types do not say which columns of a function's result may be null.
type Whole = { merge: false }

/** Maximum number of checks that run at the same time, since the database has other work. */
const atOnce = 3

async function readChecks(signal: AbortSignal): Promise<Check[]> {
  return unwrap(
    await db
      .rpc('admin_integrity_checks', undefined, { get: true })
      .abortSignal(signal)
      .overrideTypes<Check[], Whole>(),
  )
}

/** Runs a check. One that cannot be run becomes a failed entry; the others still run (ERR-57). */
async function runCheck(check: Check, signal: AbortSignal): Promise<CheckedCheck> {
  try {
    const result = unwrap(
      await db
        .rpc('admin_integrity_check', { p_check: check.check_key }, { get: true })
        .abortSignal(signal)
        .single()
        .overrideTypes<CheckResult, Whole>(),
    )
    return { ...result, ...check }
  } catch (error) {
    const { code, kind } = toAppError(error)
    if (isAccessLost(error) || kind === 'network' || kind === 'auth') throw error
    return { ...check, status: 'fail', total: 0, findings: [], error: code }
  }
}

/** All checks with what they find now, one request each (API-43). */
export const integrityQuery = queryOptions({
  queryKey: [...adminKeys.tab('integrity'), 'results'] as const,
  queryFn: async ({ signal }) => {
    const checks = await readChecks(signal)
    const results: CheckedCheck[] = []
    for (let from = 0; from < checks.length; from += atOnce) {
      const some = checks.slice(from, from + atOnce)
      results.push(...(await Promise.all(some.map((check) => runCheck(check, signal)))))
    }
    return results
  },
  staleTime: 60_000,
})

/** The checks without running them. */
export const checksQuery = queryOptions({
  queryKey: [...adminKeys.tab('integrity'), 'checks'] as const,
  queryFn: ({ signal }) => readChecks(signal),
})

/** A page of what a check finds. */
export const findingsQuery = (check: string, list: ListState) =>
  queryOptions({
    queryKey: adminKeys.list('integrity', list),
    queryFn: ({ signal }) =>
      readPage<Finding>(list.page, adminPageSize, (from, to) => {
        const all = db.rpc(
          'admin_integrity_findings',
          { p_check: check },
          { get: true, count: 'exact' },
        )
        const found = list.search === '' ? all : all.ilike('name', containing(list.search))
        return found
          .order(list.sort.key, { ascending: !list.sort.descending })
          .order('id')
          .range(from, to)
          .abortSignal(signal)
          .overrideTypes<Finding[], Whole>()
      }),
    ...sharedList,
  })

/** A single finding, for an address that opens it; null if it is no finding any more. */
export const findingQuery = (check: string, id: string) =>
  queryOptions({
    queryKey: [...adminKeys.row('integrity', id), check] as const,
    enabled: id !== '',
    queryFn: async ({ signal }): Promise<Finding | null> =>
      unwrap(
        await db
          .rpc('admin_integrity_findings', { p_check: check }, { get: true })
          .eq('id', id)
          .abortSignal(signal)
          .maybeSingle()
          .overrideTypes<Finding, Whole>(),
      ),
    ...alwaysFresh,
  })

const refused = new AppError('repair_failed', 'The repair did not help', { status: 409 })
const results: Readonly<Record<string, RowResult>> = {
  repaired: { state: 'done' },
  unchanged: { state: 'earlier' },
}

/** Repairs findings; returns the result of each. */
export async function repairFindings(
  check: string,
  ids: string[],
): Promise<ReadonlyMap<string, RowResult>> {
  const rows = unwrap(await db.rpc('admin_repair_integrity', { p_check: check, p_ids: ids }))
  return new Map(
    rows.map(({ id, result }) => [id, results[result] ?? { state: 'failed', error: refused }]),
  )
}
