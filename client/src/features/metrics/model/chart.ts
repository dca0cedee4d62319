import type { ChartData, ChartTone } from '@/components/charts/chart-data'
import { type DateRange, dayText } from '@/lib/date-range'
import { messages } from '../messages'
import { eachDay, type Metrics } from './day'
import { type MetricKey, metrics } from './metric'
import { axisFormatOf, formatOf } from './words'

const tones = ['primary', 'success', 'saffron'] as const satisfies readonly ChartTone[]

/** Returns a daily chart of figures with the same unit; a chart shows the first three. */
export function dayChart(
  keys: readonly [MetricKey, ...MetricKey[]],
  read: Metrics,
  range: DateRange,
): ChartData {
  const [first] = keys
  const drawn = keys.slice(0, tones.length)
  return {
    rowLabel: messages.day,
    series: drawn.map((key, index) => ({
      key,
      label: messages.metric[key],
      tone: tones[index] ?? 'primary',
    })),
    rows: eachDay(read, range).map(({ date, metrics: day }) => ({
      name: dayText(date, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }),
      short: dayText(date, { day: 'numeric', month: 'short' }),
      values: Object.fromEntries(drawn.map((key) => [key, metrics[key].total(day)])),
    })),
    format: formatOf(first),
    formatAxis: axisFormatOf(first),
  }
}
