import { AppError, toAppError, unwrap } from '@/lib/errors'
import { db, loadSupabase } from '@/lib/supabase'
import { messages } from '../messages'
import { tellFailure } from './tell'
import { photoBucket } from './upload'

/** The public address of an object (STORE-03), without a host: it outlives a move of the site. */
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
 * Writes the row of a photo whose bytes are stored, behind the others. Where the
 * database refuses, the bytes go again (OWNER-22). Asked twice, for want of an
 * answer, it adds one row.
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
    // The photo is there; its card offers the same again.
    tellFailure(messages.coverFailed, error)
  }
}

/** Removes bytes that no row shows (STORE-04); what is left is swept by the server later. */
async function removeObject(key: string): Promise<void> {
  const { storage } = await loadSupabase()
  await storage.from(photoBucket).remove([key])
}

/** Makes a picture the cover of a business; none with the empty text (OWNER-24). */
export async function setCover(businessId: string, url: string): Promise<void> {
  const rows = unwrap(
    await db.from('businesses').update({ image_url: url }).eq('id', businessId).select('id'),
  )
  if (rows.length === 0) throw new AppError('42501', 'not the owner', { status: 403 })
}
