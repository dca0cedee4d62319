import { AppError, toAppError, unwrap } from '@/lib/errors'
import { db, loadSupabase } from '@/lib/supabase'
import { messages } from '../messages'
import { showFailure } from './show-failure'
import { photoBucket } from './upload'

/**
 * The public URL of an object (STORE-03), without a host, so that it remains valid if the site
 * moves.
 */
const publicAddress = (key: string) => `/storage/v1/object/public/${photoBucket}/${key}`

export type AddPhoto = { businessId: string; key: string; caption: string; isCover: boolean }

async function isThere(businessId: string, url: string): Promise<boolean> {
  const rows = unwrap(
    await db
      .from('business_photos')
      .select('id')
      .eq('business_id', businessId)
      .eq('photo_url', url)
      .limit(1),
  )
  return rows.length > 0
}

async function insert({ businessId, caption }: AddPhoto, url: string): Promise<void> {
  const last = unwrap(
    await db
      .from('business_photos')
      .select('display_order')
      .eq('business_id', businessId)
      .order('display_order', { ascending: false })
      .limit(1),
  )
  unwrap(
    await db.from('business_photos').insert({
      business_id: businessId,
      photo_url: url,
      caption: caption.trim() === '' ? null : caption,
      display_order: (last[0]?.display_order ?? -1) + 1,
    }),
  )
}

/**
 * Inserts the row of a photo whose bytes are stored, after the others. If the database refuses, the
 * bytes are deleted (OWNER-22). If it is repeated because there was no response, it inserts only
 * one row.
 */
export async function addPhoto(photo: AddPhoto): Promise<void> {
  const url = publicAddress(photo.key)
  try {
    if (!(await isThere(photo.businessId, url))) await insert(photo, url)
  } catch (error) {
    const refused = toAppError(error)
    if (refused.kind !== 'network' && refused.kind !== 'server') await removeObject(photo.key)
    throw refused
  }
  if (!photo.isCover) return
  try {
    await setCover(photo.businessId, url)
  } catch (error) {
    // The photo was added; its card offers to retry this.
    showFailure(messages.coverFailed, error)
  }
}

/** Deletes bytes without a row (STORE-04); if that fails, the server sweeps them later. */
async function removeObject(key: string): Promise<void> {
  const { storage } = await loadSupabase()
  await storage.from(photoBucket).remove([key])
}

/** Sets the cover of a business; an empty text removes it (OWNER-24). */
export async function setCover(businessId: string, url: string): Promise<void> {
  const rows = unwrap(
    await db.from('businesses').update({ image_url: url }).eq('id', businessId).select('id'),
  )
  if (rows.length === 0) throw new AppError('42501', 'not the owner', { status: 403 })
}
