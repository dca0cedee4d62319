import { AppError, unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import type { Database } from '@/types/database.gen'
import { changedMeanwhile } from '../model/changes'
import type { DetailsColumns } from '../model/details'
import { type EditedBusiness, editedColumns } from './queries'

type Tables = Database['public']['Tables']['businesses']
export type BusinessChange = Partial<
  DetailsColumns & { hours: EditedBusiness['hours']; amenities: EditedBusiness['amenities'] }
>
type WrittenColumn = keyof BusinessChange

export type Saved =
  | { state: 'saved'; business: EditedBusiness }
  /** The row was deleted meanwhile. */
  | { state: 'gone' }
  /** Somebody else changed the columns to be written. */
  | { state: 'changed'; now: EditedBusiness; columns: WrittenColumn[] }

/** Creates a business; the database sets its owner (OWNER-08). Errors: plan_limit_businesses. */
export async function createBusiness(values: Tables['Insert']): Promise<string> {
  return unwrap(await db.from('businesses').insert(values).select('id').single()).id
}

// A new rating, or another tab's save of other columns, must not stop the save.
const maxAttempts = 5

/**
 * Saves a change only if the row is still as it was read. If it has changed, but not in the columns
 * to be written, the save is retried on the new version.
 */
export async function saveBusiness(before: EditedBusiness, change: BusinessChange): Promise<Saved> {
  let latest = before
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const [business] = unwrap(
      await db
        .from('businesses')
        .update(change)
        .eq('id', before.id)
        .eq('updated_at', latest.updated_at)
        .select(editedColumns),
    )
    if (business) return { state: 'saved', business }
    const now = unwrap(
      await db.from('businesses').select(editedColumns).eq('id', before.id).maybeSingle(),
    )
    if (now === null) return { state: 'gone' }
    // Row-level security hides a row from callers who may not change it: no error, and no row
    // changed.
    if (now.updated_at === latest.updated_at) {
      throw new AppError('42501', 'no row was changed', { status: 403 })
    }
    const columns = changedMeanwhile<BusinessChange>(before, now, change)
    if (columns.length > 0) return { state: 'changed', now, columns }
    latest = now
  }
  throw new AppError('busy', 'the business is being changed all the time')
}
