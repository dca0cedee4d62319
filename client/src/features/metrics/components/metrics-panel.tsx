import type { ReactNode } from 'react'
import { Tabs } from '@/components/ui/tabs'
import { wallClock, type Zone } from '@/lib/time'
import { messages } from '../messages'
import { type MetricsAddress, readAddress, shownOf, writeAddress } from '../model/address'
import { periodRange } from '../model/period'
import { allMetrics, type MetricView, metricViews } from '../model/view'
import { AdvertisingView } from './advertising-view'
import { ExportBar } from './export-bar'
import { MetricFilter } from './metric-filter'
import { OverviewView } from './overview-view'
import { CommunicationView, EngagementView } from './part-views'
import { PeriodBar } from './period-bar'
import { TrendsView } from './trends-view'
import type { ViewProps } from './view-props'

type MetricsPanelProps = {
  businessId: string
  zone: Zone
  /** The URL parameters that select what is shown. */
  params: URLSearchParams
  onParams: (params: Record<string, string>) => void
  /** The promotion switch, on top of Advertising. */
  promotion?: ReactNode
}

const views: Record<MetricView, (props: ViewProps) => ReactNode> = {
  overview: OverviewView,
  engagement: EngagementView,
  communication: CommunicationView,
  advertising: AdvertisingView,
  trends: TrendsView,
}

/** How a business is found, contacted and promoted (METRICS-14 to METRICS-26). */
export function MetricsPanel(props: MetricsPanelProps) {
  const { businessId, zone, params, onParams, promotion } = props
  const address = readAddress(params)
  // Days are in the business's time zone, as in the rows.
  const range = periodRange(address.period, wallClock(new Date(), zone).date)
  const change = (more: Partial<MetricsAddress>) => onParams(writeAddress({ ...address, ...more }))
  const view = { businessId, range, address, onChange: change, promotion }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <PeriodBar
        period={address.period}
        range={range}
        onChange={(period) => change({ period })}
        actions={
          <div className="flex flex-wrap gap-2 max-sm:w-full">
            <MetricFilter address={address} onChange={change} />
            <ExportBar businessId={businessId} range={range} keys={shownOf(allMetrics, address)} />
          </div>
        }
      />
      <Tabs
        label={messages.views}
        value={address.view}
        onChange={(key) => change({ view: key })}
        tabs={metricViews.map((key) => {
          const View = views[key]
          return { key, label: messages.view[key], content: <View {...view} /> }
        })}
      />
    </div>
  )
}
