import type { MetricKey } from './metric'
import { defaultPeriod, type Period, periods } from './period'
import {
  type AdView,
  adMetrics,
  adViews,
  allMetrics,
  type MetricView,
  metricViews,
  viewMetrics,
} from './view'

/** What is looked at; it stands in the address, so that it can be sent and Back undoes it. */
export type MetricsAddress = {
  view: MetricView
  adView: AdView
  period: Period
  /** The figures that are not shown (METRICS-17). Each tab shows the rest of its own. */
  hidden: readonly MetricKey[]
}

function known<T extends string>(values: readonly T[], text: string | null): T | undefined {
  return values.find((value) => value === text)
}

/** Reads the address; what it does not say, or says wrongly, is as at first. */
export function readAddress(params: URLSearchParams): MetricsAddress {
  const hidden = new Set<string>(params.get('hide')?.split(','))
  return {
    view: known(metricViews, params.get('view')) ?? 'overview',
    adView: known(adViews, params.get('ads')) ?? 'overview',
    period: known(periods, params.get('days')) ?? defaultPeriod,
    hidden: allMetrics.filter((key) => hidden.has(key)),
  }
}

/** The address of what is looked at; what is as at first is left out. */
export function writeAddress(address: MetricsAddress): Record<string, string> {
  const { view, adView, period, hidden } = address
  return {
    ...(view !== 'overview' && { view }),
    ...(adView !== 'overview' && { ads: adView }),
    ...(period !== defaultPeriod && { days: period }),
    ...(hidden.length > 0 && { hide: hidden.join(',') }),
  }
}

/** The figures of the tab that is open, also the hidden ones. */
export function metricsOf({ view, adView }: Pick<MetricsAddress, 'view' | 'adView'>) {
  return view === 'advertising' ? adMetrics[adView] : viewMetrics[view]
}

/** Those of some figures that are not hidden. */
export function shownOf(keys: readonly MetricKey[], { hidden }: Pick<MetricsAddress, 'hidden'>) {
  return keys.filter((key) => !hidden.includes(key))
}
