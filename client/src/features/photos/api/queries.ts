import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import type { Photo } from '../model/photo'
import { photoKeys } from './keys'

/** The photos of a business, in order. */
export const photosQuery = (businessId: string) =>
  queryOptions({
    queryKey: photoKeys.list(businessId),
    queryFn: async ({ signal }): Promise<Photo[]> => {
      const rows = unwrap(
        await db
          .from('business_photos')
          .select('id, photo_url, caption')
          .eq('business_id', businessId)
          .order('display_order')
          .order('created_at')
          .abortSignal(signal),
      )
      return rows.map((row) => ({ id: row.id, url: row.photo_url, caption: row.caption }))
    },
    // Others may have changed them, and actions must apply to their current state.
    staleTime: 0,
  })
