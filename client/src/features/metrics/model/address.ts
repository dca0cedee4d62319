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

/** What is shown; stored in the URL, so that it can be shared and undone with Back. */
export type MetricsAddress = {
  view: MetricView
  adView: AdView
  period: Period
  /** The hidden figures (METRICS-17). Each tab shows its remaining ones. */
  hidden: readonly MetricKey[]
}

function known<T extends string>(values: readonly T[], text: string | null): T | undefined {
  return values.find((value) => value === text)
}

/** Reads the URL; missing or invalid values get their defaults. */
export function readAddress(params: URLSearchParams): MetricsAddress {
  const hidden = new Set<string>(params.get('hide')?.split(','))
  return {
    view: known(metricViews, params.get('view')) ?? 'overview',
    adView: known(adViews, params.get('ads')) ?? 'overview',
    period: known(periods, params.get('days')) ?? defaultPeriod,
    hidden: allMetrics.filter((key) => hidden.has(key)),
  }
}

/** Returns the URL parameters, without defaults. */
export function writeAddress(address: MetricsAddress): Record<string, string> {
  const { view, adView, period, hidden } = address
  return {
    ...(view !== 'overview' && { view }),
    ...(adView !== 'overview' && { ads: adView }),
    ...(period !== defaultPeriod && { days: period }),
    ...(hidden.length > 0 && { hide: hidden.join(',') }),
  }
}

/** Returns the figures of the open tab, including hidden ones. */
export function metricsOf({ view, adView }: Pick<MetricsAddress, 'view' | 'adView'>) {
  return view === 'advertising' ? adMetrics[adView] : viewMetrics[view]
}

/** Returns the figures that are not hidden. */
export function shownOf(keys: readonly MetricKey[], { hidden }: Pick<MetricsAddress, 'hidden'>) {
  return keys.filter((key) => !hidden.includes(key))
}
