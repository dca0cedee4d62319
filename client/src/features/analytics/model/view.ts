/** The tabs of analytics (METRICS-01), as the address names them. */
export const analyticsViews = ['overview', 'bookings', 'revenue', 'services'] as const
export type AnalyticsView = (typeof analyticsViews)[number]

/** How long a period of the revenue is (METRICS-02). */
export const buckets = ['week', 'month', 'year'] as const
export type Bucket = (typeof buckets)[number]
