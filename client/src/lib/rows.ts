import { AppError } from './errors'

// Row-level security hides a row from callers who may not change it: no error, and no row changed.
function refused(): AppError {
  return new AppError('42501', 'no row was changed', { status: 403 })
}

export type Saved<Row> =
  | { state: 'saved' }
  /** The row was deleted meanwhile. */
  | { state: 'gone' }
  /** The row was changed meanwhile, to this. */
  | { state: 'changed'; now: Row }

/**
 * Saves a row only if it is still as it was read: `write` updates the unchanged row and returns the
 * updated rows. Errors: 42501.
 */
export async function saveIfUnchanged<Row>(steps: {
  write: () => Promise<readonly unknown[]>
  read: () => Promise<Row | null>
  isAsBefore: (now: Row) => boolean
}): Promise<Saved<Row>> {
  if ((await steps.write()).length > 0) return { state: 'saved' }
  const now = await steps.read()
  if (now === null) return { state: 'gone' }
  if (steps.isAsBefore(now)) throw refused()
  return { state: 'changed', now }
}

/** Deletes a row; returns false if it was already deleted. Errors: 42501. */
export async function removeRow(steps: {
  remove: () => Promise<readonly unknown[]>
  read: () => Promise<unknown>
}): Promise<boolean> {
  if ((await steps.remove()).length > 0) return true
  if ((await steps.read()) !== null) throw refused()
  return false
}
