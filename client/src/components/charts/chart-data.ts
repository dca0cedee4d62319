/**
 * Charts use at most three colours next to each other, so that they are distinguishable in light
 * and dark mode.
 */
export type ChartTone = 'primary' | 'success' | 'saffron'

export type ChartSeries = { key: string; label: string; tone: ChartTone }

export type ChartRow = {
  /** The row's full name, for the table and the tooltip: 'Mon 23 Nov', '09:00–10:00'. */
  name: string
  /** The axis label, if the name is too long for it. */
  short?: string
  /**
   * One figure per series, by its key; null if there is none. A line continues across such rows.
   */
  values: Readonly<Record<string, number | null>>
}

/** The data of a chart and of the table behind it. */
export type ChartData = {
  /** The heading of the table's name column: 'Week', 'Service'. */
  rowLabel: string
  series: readonly ChartSeries[]
  rows: readonly ChartRow[]
  format: (value: number) => string
  /** For labels inside the drawing, where space is limited. */
  formatAxis?: (value: number) => string
}

/** Formats a row's figure for the table and the tooltip. */
export function figureText({ format }: Pick<ChartData, 'format'>, row: ChartRow, key: string) {
  const value = row.values[key] ?? null
  return value === null ? '–' : format(value)
}

/** Returns the sum of a row's series: the length of its bar. */
export function totalOf({ values }: ChartRow, series: readonly ChartSeries[]): number {
  return series.reduce((sum, { key }) => sum + (values[key] ?? 0), 0)
}

/**
 * Returns the rows whose figure is written into the chart: all if there is space, otherwise the
 * highest and, with `withLast`, the last.
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
