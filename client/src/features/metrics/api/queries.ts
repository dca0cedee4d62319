import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { DateRange } from '@/lib/date-range'
import { AppError, unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import type { Metrics } from '../model/day'
import { rangeBefore } from '../model/period'
import { metricsKeys } from './keys'

const businessColumns =
  'metric_date, num_total_page_views, num_calls, num_directions_and_map_views, url_clicks, num_messages_to_business, online_bookings, num_bookmarks, rating, reviews, total_leads, num_user_photos, num_check_ins, reply_rate, median_response_time_in_sec, num_search_views, num_photo_views'
const advertiserColumns =
  'metric_date, billed_impressions, billed_clicks, ad_cost, ad_driven_calls, ad_driven_online_reservations, ad_driven_biz_page_views, ad_driven_messages_to_business, ad_driven_total_leads'

/**
 * The rows of a date range and of the previous period of the same length, in order (METRICS-22,
 * METRICS-23). Policies hide other owners' rows.
 */
export const metricsQuery = (businessId: string, range: DateRange) =>
  queryOptions({
    queryKey: metricsKeys.days(businessId, range),
    queryFn: async ({ signal }): Promise<Metrics> => {
      if (businessId === '') {
        throw new AppError('business_id_required', 'Business ID is required', { status: 400 })
      }
      const { first } = rangeBefore(range)
      const [business, advertiser] = await Promise.all([
        db
          .from('business_metrics')
          .select(businessColumns)
          .eq('business_id', businessId)
          .gte('metric_date', first)
          .lte('metric_date', range.last)
          .order('metric_date')
          .abortSignal(signal),
        db
          .from('advertiser_metrics')
          .select(advertiserColumns)
          .eq('business_id', businessId)
          .gte('metric_date', first)
          .lte('metric_date', range.last)
          .order('metric_date')
          .abortSignal(signal),
      ])
      return { business: unwrap(business), advertiser: unwrap(advertiser) }
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })

/**
 * The sums of all businesses by day, for admins: the same columns as a business's, without those
 * that have no sum.
 */
export const allDaysQuery = (range: DateRange) =>
  queryOptions({
    queryKey: metricsKeys.allDays(range),
    queryFn: async ({ signal }): Promise<Metrics> => {
      const days = unwrap(
        await db
          .rpc(
            'admin_metrics_days',
            { p_first: rangeBefore(range).first, p_last: range.last },
            { get: true },
          )
          .abortSignal(signal),
      )
      const unsummed = { rating: null, reply_rate: null, median_response_time_in_sec: null }
      return { business: days.map((day) => ({ ...day, ...unsummed })), advertiser: [] }
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })

/** Whether the owner requested a promoted place. */
export const promotionQuery = (businessId: string) =>
  queryOptions({
    queryKey: metricsKeys.promotion(businessId),
    queryFn: async ({ signal }) =>
      unwrap(
        await db
          .from('businesses')
          .select('is_promoted')
          .eq('id', businessId)
          .abortSignal(signal)
          .single(),
      ).is_promoted,
  })
