import { AppError } from './errors'

// Row-level security hides a row from whoever may not change it: no error, and no row changed.
function refused(): AppError {
  return new AppError('42501', 'no row was changed', { status: 403 })
}

export type Saved<Row> =
  | { state: 'saved' }
  /** Somebody else deleted it. */
  | { state: 'gone' }
  /** Somebody else changed it, to this. */
  | { state: 'changed'; now: Row }

/**
 * Saves over what was read, and over nothing else: `write` changes the row only as it was, and gives
 * the rows it changed. Errors: 42501.
 */
export async function saveOver<Row>(steps: {
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

/** Deletes a row; false when somebody else had done so already. Errors: 42501. */
export async function removeRow(steps: {
  remove: () => Promise<readonly unknown[]>
  read: () => Promise<unknown>
}): Promise<boolean> {
  if ((await steps.remove()).length > 0) return true
  if ((await steps.read()) !== null) throw refused()
  return false
}
