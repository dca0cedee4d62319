function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** The columns in which what is wanted differs from what was there. */
export function changesOf<Columns extends object>(
  before: Columns,
  wanted: Columns,
): Partial<Columns> {
  const changed: Partial<Columns> = {}
  for (const column in wanted) {
    if (!isSame(before[column], wanted[column])) changed[column] = wanted[column]
  }
  return changed
}

/**
 * The columns of a change that somebody else changed meanwhile, to something other than what is
 * wanted: to write them would undo that unseen.
 */
export function changedMeanwhile<Columns extends object>(
  before: Columns,
  now: Columns,
  change: Partial<Columns>,
): (keyof Columns)[] {
  const found: (keyof Columns)[] = []
  for (const column in change) {
    if (!isSame(before[column], now[column]) && !isSame(now[column], change[column])) {
      found.push(column)
    }
  }
  return found
}
