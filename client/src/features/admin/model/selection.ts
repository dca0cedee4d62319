/** Rows that are selected, by id, on all pages; kept whole, so that they can be named. */
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

/** How many of the chosen rows are not among those on the screen. */
export function countElsewhere<Row extends { id: string }>(
  chosen: Chosen<Row>,
  shown: readonly Row[],
): number {
  return chosen.size - shown.filter(({ id }) => chosen.has(id)).length
}

/** The choice without some ids, wherever they are. */
export function without<Row>(chosen: Chosen<Row>, ids: readonly string[]): Chosen<Row> {
  return new Map([...chosen].filter(([id]) => !ids.includes(id)))
}
