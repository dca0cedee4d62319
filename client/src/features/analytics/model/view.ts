/** The tabs of analytics (METRICS-01), as named in the URL. */
export const analyticsViews = ['overview', 'bookings', 'revenue', 'services'] as const
export type AnalyticsView = (typeof analyticsViews)[number]

/** The lengths of a revenue period (METRICS-02). */
export const buckets = ['week', 'month', 'year'] as const
export type Bucket = (typeof buckets)[number]
