import type { ReactNode } from 'react'
import type { DateRange } from '@/lib/date-range'
import type { MetricsAddress } from '../model/address'

/** The props of each tab of a business's metrics. */
export type ViewProps = {
  businessId: string
  range: DateRange
  address: MetricsAddress
  onChange: (change: Partial<MetricsAddress>) => void
  promotion: ReactNode
}
