import { Tabs } from '@/components/ui/tabs'
import { addDays, wallClock, type Zone } from '@/lib/time'
import { messages } from '../messages'
import { type AnalyticsAddress, readAddress, writeAddress } from '../model/address'
import { type AnalyticsView, analyticsViews } from '../model/view'
import { BookingsView } from './bookings-view'
import { ExportBar } from './export-bar'
import { OverviewView } from './overview-view'
import { RangeBar } from './range-bar'
import { RevenueView } from './revenue-view'
import { ServicesView } from './services-view'
import type { ViewProps } from './view-props'

type AnalyticsPanelProps = {
  businessId: string
  zone: Zone
  /** The URL parameters that select what is shown. */
  params: URLSearchParams
  onParams: (params: Record<string, string>) => void
}

const views: Record<AnalyticsView, (props: ViewProps) => React.ReactNode> = {
  overview: OverviewView,
  bookings: BookingsView,
  revenue: RevenueView,
  services: ServicesView,
}

/** Analytics of a business's bookings in the selected dates (METRICS-01). */
export function AnalyticsPanel({ businessId, zone, params, onParams }: AnalyticsPanelProps) {
  const today = wallClock(new Date(), zone).date
  const address = readAddress(params, today)
  const change = (more: Partial<AnalyticsAddress>) =>
    onParams(writeAddress({ ...address, ...more }))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <RangeBar
          preset={address.preset}
          range={address.range}
          today={today}
          max={addDays(today, maxAhead)}
          onChange={change}
        />
        <ExportBar businessId={businessId} range={address.range} today={today} />
      </div>
      <Tabs
        label={messages.views}
        value={address.view}
        onChange={(view) => change({ view })}
        tabs={analyticsViews.map((key) => {
          const View = views[key]
          return {
            key,
            label: messages.view[key],
            content: (
              <View businessId={businessId} today={today} address={address} onChange={change} />
            ),
          }
        })}
      />
    </div>
  )
}

/** How far in the future bookings may be, in days. */
const maxAhead = 730
