import { countText } from '@/lib/formats'
import { formatMoney, formatShortMoney } from '@/lib/money'
import { messages } from '../messages'
import { type MetricKey, metrics, type Unit } from './metric'

/** Formats a duration: '4 min 05 s' (METRICS-25). */
function timeText(seconds: number): string {
  const whole = Math.round(seconds)
  return messages.time(Math.floor(whole / 60), String(whole % 60).padStart(2, '0'))
}

// Percentages have one decimal, the much smaller click rates two (METRICS-26).
const texts: Record<Unit, (figure: number) => string> = {
  count: countText,
  percent: (figure) => `${figure.toFixed(1)}%`,
  rate: (figure) => `${figure.toFixed(2)}%`,
  cents: (figure) => formatMoney(figure / 100),
  seconds: timeText,
  stars: (figure) => figure.toFixed(1),
}

/**
 * Returns the formatter of a figure: 'cents' in dollars with two decimals (METRICS-24), times in
 * minutes and seconds.
 */
export function formatOf(key: MetricKey): (figure: number) => string {
  return texts[metrics[key].unit]
}

const axisTexts: Partial<typeof texts> = {
  percent: (figure) => `${Math.round(figure)}%`,
  // Costs per click are below a dollar, which the short form would round away.
  cents: (figure) => (figure < 100_000 ? formatMoney : formatShortMoney)(figure / 100),
  seconds: (figure) => messages.shortTime(Math.round(figure / 60)),
}

/** Like formatOf, for labels inside a chart. */
export function axisFormatOf(key: MetricKey): (figure: number) => string {
  return axisTexts[metrics[key].unit] ?? formatOf(key)
}
