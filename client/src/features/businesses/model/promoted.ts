import type { Page } from '@/lib/paged'

/** Puts the promoted rows on top of a page and marks them; none of them stands there twice. */
export function withPromoted<Row extends { id: string }>(
  { rows, total }: Page<Row>,
  promoted: readonly Row[],
): Page<Row & { isPromoted: boolean }> {
  if (rows.length === 0) return { rows: [], total }
  const onTop = new Set(promoted.map(({ id }) => id))
  return {
    rows: [
      ...promoted.map((row) => ({ ...row, isPromoted: true })),
      ...rows.filter(({ id }) => !onTop.has(id)).map((row) => ({ ...row, isPromoted: false })),
    ],
    total,
  }
}
