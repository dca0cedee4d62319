import type { DateRange } from '@/lib/date-range'
import type { Bucket } from '../model/view'

export const analyticsKeys = {
  all: ['analytics'] as const,
  of: (businessId: string) => [...analyticsKeys.all, businessId] as const,
  totals: (businessId: string, range: DateRange) =>
    [...analyticsKeys.of(businessId), 'totals', range] as const,
  services: (businessId: string, range: DateRange) =>
    [...analyticsKeys.of(businessId), 'services', range] as const,
  hours: (businessId: string, range: DateRange) =>
    [...analyticsKeys.of(businessId), 'hours', range] as const,
  revenue: (businessId: string, range: DateRange, bucket: Bucket | 'day') =>
    [...analyticsKeys.of(businessId), 'revenue', range, bucket] as const,
}
