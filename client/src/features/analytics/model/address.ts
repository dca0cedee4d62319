import type { DateRange } from '@/lib/date-range'
import { type Weekday, weekdays } from '@/lib/time'
import { customRange, defaultPreset, type Preset, presetRange, presets } from './range'
import { type AnalyticsView, analyticsViews, type Bucket, buckets } from './view'

/** What is shown; stored in the URL, so that it can be shared and undone with Back. */
export type AnalyticsAddress = {
  view: AnalyticsView
  preset: Preset
  range: DateRange
  bucket: Bucket
  /** The weekday whose hours are shown; null for all days. */
  weekday: Weekday | null
}

function known<T extends string>(values: readonly T[], text: string | null): T | undefined {
  return values.find((value) => value === text)
}

/** Reads the URL; missing or invalid values get their defaults. */
export function readAddress(params: URLSearchParams, today: string): AnalyticsAddress {
  const named = known(presets, params.get('range')) ?? defaultPreset
  const own = named === 'custom' ? customRange(params.get('from'), params.get('to')) : null
  const preset = named === 'custom' && own === null ? defaultPreset : named
  return {
    view: known(analyticsViews, params.get('view')) ?? 'overview',
    preset,
    range: own ?? presetRange(preset === 'custom' ? defaultPreset : preset, today),
    bucket: known(buckets, params.get('by')) ?? 'week',
    weekday: known(weekdays, params.get('weekday')) ?? null,
  }
}

/** Returns the URL parameters, without defaults. */
export function writeAddress({
  view,
  preset,
  range,
  bucket,
  weekday,
}: AnalyticsAddress): Record<string, string> {
  return {
    ...(view !== 'overview' && { view }),
    ...(preset !== defaultPreset && { range: preset }),
    ...(preset === 'custom' && { from: range.first, to: range.last }),
    ...(bucket !== 'week' && { by: bucket }),
    ...(weekday !== null && { weekday }),
  }
}
