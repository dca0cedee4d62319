import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { categoryCache } from '@/lib/query-client'
import { db } from '@/lib/supabase'
import { ownerKeys } from './keys'

const cardColumns = 'id, name, type, location, image_url, category_code, logo'

/** The businesses of an owner, the newest first (ROUTE-23, OWNER-02). */
export const ownBusinessesQuery = (userId: string) =>
  queryOptions({
    queryKey: ownerKeys.list(userId),
    queryFn: async ({ signal }) =>
      unwrap(
        await db
          .from('businesses')
          .select(cardColumns)
          .eq('owner_id', userId)
          .order('created_at', { ascending: false })
          .order('id')
          .abortSignal(signal),
      ),
    staleTime: 0,
  })

export type OwnBusiness = Awaited<
  ReturnType<NonNullable<ReturnType<typeof ownBusinessesQuery>['queryFn']>>
>[number]

/** All columns that the edit screen shows and changes. */
export const editedColumns = `${cardColumns}, logo_url, owner_id, owner:profiles(full_name), address, phone, website, longitude, latitude, hours, amenities, description, tagline, company_values, languages, updated_at`

const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A business to edit, with its owner; null if there is none (ROUTE-30). */
export const editedBusinessQuery = (id: string) =>
  queryOptions({
    queryKey: ownerKeys.business(id),
    queryFn: async ({ signal }) =>
      isId.test(id)
        ? unwrap(
            await db
              .from('businesses')
              .select(editedColumns)
              .eq('id', id)
              .abortSignal(signal)
              .maybeSingle(),
          )
        : null,
    staleTime: 0,
    // Reloaded each time: a stale version would look like somebody else's change.
    gcTime: 0,
  })

export type EditedBusiness = NonNullable<
  Awaited<ReturnType<NonNullable<ReturnType<typeof editedBusinessQuery>['queryFn']>>>
>

/** The places where a business can be, the best known first. */
export const placesQuery = queryOptions({
  queryKey: ownerKeys.places,
  queryFn: async ({ signal }) =>
    unwrap(
      await db
        .from('cities')
        .select('slug, name, local_name, country, latitude, longitude')
        .order('position')
        .abortSignal(signal),
    ),
  ...categoryCache,
})
