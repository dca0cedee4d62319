/** Moves the promoted rows to the top of a page and marks them, without duplicates. */
export function withPromoted<Row extends { id: string }>(
  rows: readonly Row[],
  promoted: readonly Row[],
): (Row & { isPromoted: boolean })[] {
  if (rows.length === 0) return []
  const onTop = new Set(promoted.map(({ id }) => id))
  return [
    ...promoted.map((row) => ({ ...row, isPromoted: true })),
    ...rows.filter(({ id }) => !onTop.has(id)).map((row) => ({ ...row, isPromoted: false })),
  ]
}
