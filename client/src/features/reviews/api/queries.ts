import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { countsOf, type ReviewGroup, starsOf } from '../model/group'
import { reviewKeys } from './keys'

/** Number of reviews per request. */
const reviewPageSize = 10

/** A group of a business's reviews with their responses, the newest first. */
export const reviewsQuery = (businessId: string, group: ReviewGroup) =>
  infiniteQueryOptions({
    queryKey: reviewKeys.list(businessId, group),
    queryFn: async ({ signal, pageParam }) => {
      const items = unwrap(
        await db
          .from('reviews')
          .select(
            'id, rating, comment, created_at, profiles(full_name, avatar_url), response:review_responses(content, created_at)',
          )
          .eq('business_id', businessId)
          .in('rating', starsOf(group))
          .order('created_at', { ascending: false })
          .order('id')
          .range(pageParam, pageParam + reviewPageSize - 1)
          .abortSignal(signal),
      )
      return { items, next: items.length < reviewPageSize ? null : pageParam + reviewPageSize }
    },
    initialPageParam: 0,
    getNextPageParam: (page) => page.next,
    staleTime: 0,
  })

export type Review = Awaited<
  ReturnType<NonNullable<ReturnType<typeof reviewsQuery>['queryFn']>>
>['items'][number]

/** The number of reviews in each group (METRICS-33). */
export const reviewCountsQuery = (businessId: string) =>
  queryOptions({
    queryKey: reviewKeys.counts(businessId),
    queryFn: async ({ signal }) =>
      countsOf(
        unwrap(
          await db.rpc('rating_distribution', { p_business_id: businessId }).abortSignal(signal),
        ),
      ),
    staleTime: 0,
  })

/** A business and the user's review of it; null if there is no such business. */
export const ownReviewQuery = (userId: string, businessId: string) =>
  queryOptions({
    queryKey: reviewKeys.own(userId, businessId),
    queryFn: async ({ signal }) => {
      const found = unwrap(
        await db
          .from('businesses')
          .select('id, name, reviews(id, rating, comment)')
          .eq('id', businessId)
          .eq('reviews.user_id', userId)
          .abortSignal(signal)
          .maybeSingle(),
      )
      return found && { name: found.name, review: found.reviews[0] ?? null }
    },
    staleTime: 0,
  })
