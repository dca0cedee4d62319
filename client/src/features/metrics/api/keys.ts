import type { DateRange } from '@/lib/date-range'

export const metricsKeys = {
  all: ['metrics'] as const,
  of: (businessId: string) => [...metricsKeys.all, businessId] as const,
  days: (businessId: string, range: DateRange) =>
    [...metricsKeys.of(businessId), 'days', range] as const,
  allDays: (range: DateRange) => [...metricsKeys.all, 'all businesses', range] as const,
  promotion: (businessId: string) => [...metricsKeys.of(businessId), 'promotion'] as const,
}
