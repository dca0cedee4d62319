import { changeOf } from '@/lib/change'
import type { CsvCell } from '@/lib/csv'
import type { DateRange } from '@/lib/date-range'
import { column, type Sheet, type SheetColumn } from '@/lib/sheet'
import { messages } from '../messages'
import { eachDay, type Metrics } from './day'
import { type MetricKey, metrics, type Unit } from './metric'
import { summaryOf } from './summary'

/** The available exports: figures compared with the previous period, or daily figures. */
export const sheetKinds = ['summary', 'days'] as const
export type SheetKind = (typeof sheetKinds)[number]

const columnTypes: Record<Unit, SheetColumn['type']> = {
  count: 'integer',
  percent: 'percent',
  rate: 'number',
  cents: 'money',
  seconds: 'integer',
  stars: 'number',
}

/**
 * Formats a figure for calculations in a spreadsheet: cents in currency units, and no more decimals
 * than displayed.
 */
function cellOf(key: MetricKey, figure: number | null): CsvCell {
  if (figure === null) return null
  const { unit } = metrics[key]
  const digits = unit === 'seconds' ? 0 : 2
  return Number((unit === 'cents' ? figure / 100 : figure).toFixed(digits))
}

function summarySheet(keys: readonly MetricKey[], read: Metrics, range: DateRange): Sheet {
  return {
    columns: [
      column('metric', 'text', 26),
      column('unit', 'text', 10),
      column('current', 'number', 12),
      column('previous', 'number', 12),
      column('changePercent', 'percent', 15),
      column('trend', 'text', 10),
    ],
    rows: summaryOf(keys, read, range).map(({ key, current, previous }) => [
      messages.metric[key],
      messages.unit[metrics[key].unit],
      cellOf(key, current),
      cellOf(key, previous),
      ...changeCells(current, previous),
    ]),
  }
}

function changeCells(current: number | null, previous: number | null): CsvCell[] {
  if (current === null || previous === null) return [null, null]
  const { percent, trend } = changeOf(previous, current)
  return [Number(percent.toFixed(1)), messages.trends[trend]]
}

function daysSheet(keys: readonly MetricKey[], read: Metrics, range: DateRange): Sheet {
  return {
    columns: [
      column('date', 'date', 12),
      ...keys.map((key) => column(key, columnTypes[metrics[key].unit], 14)),
    ],
    rows: eachDay(read, range).map(({ date, metrics: day }) => [
      date,
      ...keys.map((key) => cellOf(key, metrics[key].total(day))),
    ]),
  }
}

export const sheets: Record<SheetKind, typeof summarySheet> = {
  summary: summarySheet,
  days: daysSheet,
}
