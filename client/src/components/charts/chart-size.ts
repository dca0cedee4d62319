/** Height of a chart in pixels, so that its space is reserved before it is rendered. */
export const plotHeight = 260

/** Maximum number of bars; the table has all of them. */
export const maxBars = 10

export function barsHeight(rows: number): number {
  return Math.max(1, Math.min(rows, maxBars)) * 40 + 8
}
