import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { DateRange } from '@/lib/date-range'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import type { HourCount, RevenuePeriod, ServiceFigures, Totals } from '../model/figures'
import type { Bucket } from '../model/view'
import { analyticsKeys } from './keys'

// The sums are the database's; all of them refuse with not_your_business, plan_without_analytics, invalid_range or
// range_too_long. Other dates leave the old figures in place until theirs are there.
const shared = { placeholderData: keepPreviousData, staleTime: 60_000 } as const

const wire = (businessId: string, { first, last }: DateRange) => ({
  p_business_id: businessId,
  p_first: first,
  p_last: last,
})

const none: Totals = { bookings: 0, completed: 0, cancelled: 0, revenue: 0 }

/** The totals of some dates and of as many days before. */
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

/** The figures of each service, those with most bookings first. */
export const servicesQuery = (businessId: string, range: DateRange) =>
  queryOptions({
    queryKey: analyticsKeys.services(businessId, range),
    queryFn: async ({ signal }): Promise<ServiceFigures[]> =>
      unwrap(await db.rpc('analytics_services', wire(businessId, range)).abortSignal(signal)),
    ...shared,
  })

/** How many bookings start in each hour of each weekday. */
export const hoursQuery = (businessId: string, range: DateRange) =>
  queryOptions({
    queryKey: analyticsKeys.hours(businessId, range),
    queryFn: async ({ signal }): Promise<HourCount[]> =>
      unwrap(await db.rpc('analytics_hours', wire(businessId, range)).abortSignal(signal)),
    ...shared,
  })

/** The revenue of some dates, period by period. */
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
