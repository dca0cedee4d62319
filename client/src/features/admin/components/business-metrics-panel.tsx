import type { ReactNode } from 'react'
import { Tabs } from '@/components/ui/tabs'
import type { MeasuredBusiness } from '../api/business-metrics'
import { metricsMessages as texts } from '../metrics-messages'
import { type MetricPart, metricParts, metricsList } from '../model/business-metrics'
import { listParams } from '../model/list'
import { useList } from '../model/use-list'
import { MeasuredBusinesses } from './measured-businesses'
import { MetricsOfBusiness } from './metrics-of-business'
import { TopPerformers } from './top-performers'

/** Renders figures of the number of days in the URL. */
type Drawn = (days: string, onDays: (days: string) => void) => ReactNode

type BusinessMetricsPanelProps = {
  /** The sums of all businesses. */
  figures: Drawn
  /** The same by day. */
  trends: Drawn
  /** The detailed metrics of a business. */
  details: (business: MeasuredBusiness) => ReactNode
}

/** Metrics of all businesses (ADMIN-METRICS-01 to ADMIN-METRICS-06). */
export function BusinessMetricsPanel({ figures, trends, details }: BusinessMetricsPanelProps) {
  const address = useList(metricsList)
  const { list, change, open } = address
  if (list.row !== '') {
    const back = `?${listParams({ ...list, row: '' }, metricsList)}`
    return <MetricsOfBusiness key={list.row} id={list.row} back={back} details={details} />
  }
  const days = list.filters.days ?? ''
  const setDays = (next: string) => change({ filters: { days: next } })
  const content: Record<MetricPart, ReactNode> = {
    overview: (
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
        {figures(days, setDays)}
        <MeasuredBusinesses address={address} />
      </div>
    ),
    top: <TopPerformers address={address} onOpen={open} />,
    analytics: trends(days, setDays),
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div className="grid gap-1">
        <h2 className="text-xl">{texts.title}</h2>
        <p className="text-sm text-muted">{texts.text}</p>
      </div>
      <Tabs
        label={texts.parts}
        value={metricParts.find((part) => part === list.filters.part) ?? 'overview'}
        onChange={(part) => change({ filters: { part: part === 'overview' ? '' : part } })}
        tabs={metricParts.map((key) => ({
          key,
          label: texts.part[key],
          content: content[key],
        }))}
      />
    </div>
  )
}
