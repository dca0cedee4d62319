import type { AnalyticsAddress } from '../model/address'

/** The props of each tab of a business's analytics. */
export type ViewProps = {
  businessId: string
  /** Today in the business's time zone. */
  today: string
  address: AnalyticsAddress
  onChange: (change: Partial<AnalyticsAddress>) => void
}
