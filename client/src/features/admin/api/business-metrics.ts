import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { type Page, readPage } from '@/lib/paged'
import { db } from '@/lib/supabase'
import { zoneFrom } from '@/lib/time'
import type { AdminMetrics, TopBusiness } from '../model/business-metrics'
import { adminPageSize, type ListState } from '../model/list'
import { adminKeys } from './keys'
import { sharedList } from './list-options'

type Whole = { merge: false }
export type OwnedMetrics = AdminMetrics & { owner: string | null }

const columns =
  'id, name, display_id, owner_id, metric_date, num_total_page_views, online_bookings, total_leads, rating'

function request({ search, sort }: ListState, from: number, to: number, signal: AbortSignal) {
  return db
    .rpc('admin_business_metrics', { p_search: search }, { get: true, count: 'exact' })
    .select(columns)
    .order(sort.key, { ascending: !sort.descending, nullsFirst: false })
    .order('name')
    .order('id')
    .range(from, to)
    .abortSignal(signal)
    .overrideTypes<AdminMetrics[], Whole>()
}

/** The names of owners by id. */
async function readOwners(rows: readonly AdminMetrics[], signal: AbortSignal) {
  const ids = [...new Set(rows.flatMap(({ owner_id }) => owner_id ?? []))]
  if (ids.length === 0) return new Map<string, string | null>()
  const owners = unwrap(
    await db.from('profiles').select('id, full_name').in('id', ids).abortSignal(signal),
  )
  return new Map(owners.map(({ id, full_name }) => [id, full_name]))
}

/**
 * A page of businesses with their newest figures and their owner (ADMIN-METRICS-05,
 * ADMIN-METRICS-06).
 */
export const businessMetricsQuery = (list: ListState) =>
  queryOptions({
    queryKey: adminKeys.list('metrics', { ...list, filters: {} }),
    queryFn: async ({ signal }): Promise<Page<OwnedMetrics>> => {
      const { rows, total } = await readPage(list.page, adminPageSize, (from, to) =>
        request(list, from, to, signal),
      )
      const owners = await readOwners(rows, signal)
      return {
        rows: rows.map((row) => ({ ...row, owner: owners.get(row.owner_id ?? '') ?? null })),
        total,
      }
    },
    ...sharedList,
  })

/** The best businesses of some months, by each metric (ADMIN-METRICS-03). */
export const topBusinessesQuery = (months: { first: string; last: string }) =>
  queryOptions({
    queryKey: [...adminKeys.tab('metrics'), 'top', months] as const,
    queryFn: async ({ signal }): Promise<TopBusiness[]> =>
      unwrap(
        await db
          .rpc(
            'admin_top_businesses',
            { p_first_month: months.first, p_last_month: months.last },
            { get: true },
          )
          .abortSignal(signal),
      ),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })

/** The business whose metrics are open; null if it no longer exists. */
export const measuredBusinessQuery = (id: string) =>
  queryOptions({
    queryKey: adminKeys.row('metrics', id),
    enabled: id !== '',
    queryFn: async ({ signal }) => {
      const business = unwrap(
        await db
          .from('businesses')
          .select('id, name, display_id, time_zone, owner:profiles(full_name)')
          .eq('id', id)
          .abortSignal(signal)
          .maybeSingle(),
      )
      return business && { ...business, zone: zoneFrom(business.time_zone) }
    },
  })

export type MeasuredBusiness = NonNullable<
  Awaited<ReturnType<NonNullable<ReturnType<typeof measuredBusinessQuery>['queryFn']>>>
>
