import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { ownerKeys } from './keys'

const cardColumns = 'id, name, type, location, image_url, category_code'

/** The businesses that somebody owns, the newest first (ROUTE-23, OWNER-02). */
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

const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A business to edit, with who owns it; null where there is none (ROUTE-30). */
export const editedBusinessQuery = (id: string) =>
  queryOptions({
    queryKey: ownerKeys.business(id),
    queryFn: async ({ signal }) =>
      isId.test(id)
        ? unwrap(
            await db
              .from('businesses')
              .select(`${cardColumns}, owner_id, owner:profiles(full_name)`)
              .eq('id', id)
              .abortSignal(signal)
              .maybeSingle(),
          )
        : null,
    staleTime: 0,
  })

export type EditedBusiness = NonNullable<
  Awaited<ReturnType<NonNullable<ReturnType<typeof editedBusinessQuery>['queryFn']>>>
>
