import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { DateRange } from '@/lib/date-range'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import type { HourCount, RevenuePeriod, ServiceFigures, Totals } from '../model/figures'
import type { Bucket } from '../model/view'
import { analyticsKeys } from './keys'

// The database computes the sums. All functions may return not_your_business,
// plan_without_analytics, invalid_range or range_too_long. After a change of dates the old figures
// stay until the new ones are loaded.
const shared = { placeholderData: keepPreviousData, staleTime: 60_000 } as const

const wire = (businessId: string, { first, last }: DateRange) => ({
  p_business_id: businessId,
  p_first: first,
  p_last: last,
})

const none: Totals = { bookings: 0, completed: 0, cancelled: 0, revenue: 0 }

/** The totals of a date range and of the previous period of the same length. */
export const totalsQuery = (businessId: string, range: DateRange) =>
  queryOptions({
    queryKey: analyticsKeys.totals(businessId, range),
    queryFn: async ({ signal }) => {
      const rows = unwrap(
        await db.rpc('analytics_totals', wire(businessId, range)).abortSignal(signal),
      )
      const of = (period: string): Totals => rows.find((row) => row.period === period) ?? none
      return { current: of('current'), previous: of('previous') }
    },
    ...shared,
  })

/** The figures of each service, ordered by number of bookings. */
export const servicesQuery = (businessId: string, range: DateRange) =>
  queryOptions({
    queryKey: analyticsKeys.services(businessId, range),
    queryFn: async ({ signal }): Promise<ServiceFigures[]> =>
      unwrap(await db.rpc('analytics_services', wire(businessId, range)).abortSignal(signal)),
    ...shared,
  })

/** The number of bookings that start in each hour of each weekday. */
export const hoursQuery = (businessId: string, range: DateRange) =>
  queryOptions({
    queryKey: analyticsKeys.hours(businessId, range),
    queryFn: async ({ signal }): Promise<HourCount[]> =>
      unwrap(await db.rpc('analytics_hours', wire(businessId, range)).abortSignal(signal)),
    ...shared,
  })

/** The revenue of a date range, by period. */
export const revenueQuery = (businessId: string, range: DateRange, bucket: Bucket | 'day') =>
  queryOptions({
    queryKey: analyticsKeys.revenue(businessId, range, bucket),
    queryFn: async ({ signal }): Promise<RevenuePeriod[]> =>
      unwrap(
        await db
          .rpc('analytics_revenue', { ...wire(businessId, range), p_bucket: bucket })
          .abortSignal(signal),
      ),
    ...shared,
  })
