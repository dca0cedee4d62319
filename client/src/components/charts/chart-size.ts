/** How high a chart is in pixels, so that its place is kept before it is drawn. */
export const plotHeight = 260

/** The most bars that are drawn; the table has them all. */
export const mostBars = 10

export function barsHeight(rows: number): number {
  return Math.max(1, Math.min(rows, mostBars)) * 40 + 8
}
