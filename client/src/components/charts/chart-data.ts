/** At most three colours stand beside each other, so that they can be told apart in light and dark. */
export type ChartTone = 'primary' | 'success' | 'saffron'

export type ChartSeries = { key: string; label: string; tone: ChartTone }

export type ChartRow = {
  /** The row in full, for the table and the tooltip: 'Mon 23 Nov', '09:00–10:00'. */
  name: string
  /** What stands at the axis, if the name is too long for it. */
  short?: string
  /** A figure for each series, by its key; null where there is none. A line goes on over such rows. */
  values: Readonly<Record<string, number | null>>
}

/** What a chart draws, and what the table behind it says. */
export type ChartData = {
  /** Heads the column of names in the table: 'Week', 'Service'. */
  rowLabel: string
  series: readonly ChartSeries[]
  rows: readonly ChartRow[]
  format: (value: number) => string
  /** For what is written into the drawing, where there is less room. */
  formatAxis?: (value: number) => string
}

/** A figure of a row as the table and the tooltip say it. */
export function figureText({ format }: Pick<ChartData, 'format'>, row: ChartRow, key: string) {
  const value = row.values[key] ?? null
  return value === null ? '–' : format(value)
}

/** The sum of a row's series: how long its bar is. */
export function totalOf({ values }: ChartRow, series: readonly ChartSeries[]): number {
  return series.reduce((sum, { key }) => sum + (values[key] ?? 0), 0)
}

/**
 * The rows whose figure is written into the chart: all where there is room, otherwise the highest
 * and, where `withLast`, the last.
 */
export function labelledRows(
  { rows, series }: Pick<ChartData, 'rows' | 'series'>,
  room: number,
  withLast: boolean,
): ReadonlySet<number> {
  const totals = rows.map((row) => totalOf(row, series))
  const positive = totals.flatMap((total, index) => (total > 0 ? [index] : []))
  if (positive.length <= room) return new Set(positive)
  const labelled = new Set([totals.indexOf(Math.max(...totals))])
  if (withLast) labelled.add(rows.findLastIndex((row) => hasFigure(row, series)))
  return labelled
}

function hasFigure({ values }: ChartRow, series: ChartData['series']): boolean {
  return series.some(({ key }) => (values[key] ?? null) !== null)
}
