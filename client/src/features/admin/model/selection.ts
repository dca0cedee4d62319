/** Selected rows by id, on all pages; whole rows are kept for their names. */
export type Chosen<Row> = ReadonlyMap<string, Row>

export function toggled<Row extends { id: string }>(
  chosen: Chosen<Row>,
  rows: readonly Row[],
  isSelected: boolean,
): Chosen<Row> {
  const next = new Map(chosen)
  for (const row of rows) {
    if (isSelected) next.set(row.id, row)
    else next.delete(row.id)
  }
  return next
}

/** Returns how many of the selected rows are not on the current page. */
export function countElsewhere<Row extends { id: string }>(
  chosen: Chosen<Row>,
  shown: readonly Row[],
): number {
  return chosen.size - shown.filter(({ id }) => chosen.has(id)).length
}

/** Returns the selection without some ids. */
export function without<Row>(chosen: Chosen<Row>, ids: readonly string[]): Chosen<Row> {
  return new Map([...chosen].filter(([id]) => !ids.includes(id)))
}
