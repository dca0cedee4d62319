function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Returns the columns whose wanted value differs from the previous one. */
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
 * Returns the columns of a change that somebody else changed meanwhile to a different value:
 * writing them would silently undo that change.
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
