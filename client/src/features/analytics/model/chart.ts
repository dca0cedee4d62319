import type { ChartData } from '@/components/charts/chart-data'
import { countText } from '@/lib/formats'
import { formatMoney, formatShortMoney } from '@/lib/money'
import { messages } from '../messages'
import type { RevenuePeriod, ServiceFigures } from './figures'
import type { Bucket } from './view'
import { hourText, periodMark, periodText } from './words'

/** Returns the chart of revenue by period. */
export function revenueChart(periods: readonly RevenuePeriod[], bucket: Bucket): ChartData {
  return {
    rowLabel: messages.period[bucket],
    series: [{ key: 'revenue', label: messages.revenue, tone: 'primary' }],
    rows: periods.map((period) => ({
      name: periodText(period),
      short: periodMark(period, bucket),
      values: { revenue: period.revenue },
    })),
    format: formatMoney,
    formatAxis: formatShortMoney,
  }
}

/** Returns the chart of each service's bookings, by outcome. */
export function servicesChart(services: readonly ServiceFigures[]): ChartData {
  return {
    rowLabel: messages.service,
    series: [
      { key: 'completed', label: messages.completed, tone: 'success' },
      { key: 'open', label: messages.open, tone: 'primary' },
      { key: 'cancelled', label: messages.cancelled, tone: 'saffron' },
    ],
    rows: services.map(({ name, completed, pending, confirmed, cancelled }) => ({
      name,
      values: { completed, open: pending + confirmed, cancelled },
    })),
    format: countText,
  }
}

/** Returns the chart of bookings by hour of the day. */
export function hoursChart(hours: readonly number[]): ChartData {
  return {
    rowLabel: messages.hour,
    series: [{ key: 'bookings', label: messages.bookings, tone: 'primary' }],
    rows: hours.map((bookings, hour) => ({
      name: hourText(hour),
      short: String(hour),
      values: { bookings },
    })),
    format: countText,
  }
}
