import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { unwrap, unwrapCounted } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { favoriteKeys } from './keys'

/** Number of favourites per request. */
const favoritePageSize = 12

/** A user's favourites with their businesses, the newest first (FAV-05). */
export const favoritesQuery = (userId: string) =>
  infiniteQueryOptions({
    queryKey: favoriteKeys.list(userId),
    queryFn: async ({ signal, pageParam }) => {
      const items = unwrap(
        await db
          .from('favorites')
          .select(
            'id, business:businesses(id, name, type, image_url, rating, combined_rating, category_code)',
          )
          .eq('user_id', userId)
          .order('created_at', { ascending: false })
          .order('id')
          .range(pageParam, pageParam + favoritePageSize - 1)
          .abortSignal(signal),
      )
      return {
        items,
        next: items.length < favoritePageSize ? null : pageParam + favoritePageSize,
      }
    },
    initialPageParam: 0,
    getNextPageParam: (page) => page.next,
    staleTime: 0,
  })

export type Favorite = Awaited<
  ReturnType<NonNullable<ReturnType<typeof favoritesQuery>['queryFn']>>
>['items'][number]

/** The number of a user's favourites. */
export const favoriteCountQuery = (userId: string) =>
  queryOptions({
    queryKey: favoriteKeys.count(userId),
    queryFn: async ({ signal }) =>
      unwrapCounted(
        await db
          .from('favorites')
          .select('id', { count: 'exact' })
          .eq('user_id', userId)
          .limit(1)
          .abortSignal(signal),
      ).total,
    staleTime: 0,
  })
