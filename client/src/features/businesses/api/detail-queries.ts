import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { unwrap, unwrapCounted } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { detailColumns, distributionOf } from '../model/business-details'
import { type BusinessKey, keyFrom } from '../model/business-key'
import { businessKeys } from './keys'

async function findBusiness({ by, value }: BusinessKey, signal: AbortSignal) {
  return unwrap(
    await db
      .from('businesses')
      .select(detailColumns)
      .eq(by, value)
      .order('name', { referencedTable: 'services' })
      .order('display_order', { referencedTable: 'photos' })
      .abortSignal(signal)
      .maybeSingle(),
  )
}

/** Finds the business that had a slug before it was renamed. */
async function findRenamed(slug: string, signal: AbortSignal) {
  const former = unwrap(
    await db
      .from('business_former_slugs')
      .select('business_id')
      .eq('slug', slug)
      .abortSignal(signal)
      .maybeSingle(),
  )
  return former && findBusiness(keyFrom(former.business_id), signal)
}

/** A business by any of its keys (BIZ-01); null if there is none. */
export const businessQuery = (text: string) =>
  queryOptions({
    queryKey: businessKeys.detail(text),
    queryFn: async ({ signal }) => {
      const key = keyFrom(text)
      return (
        (await findBusiness(key, signal)) ?? (key.by === 'slug' ? findRenamed(text, signal) : null)
      )
    },
  })

export type BusinessDetails = NonNullable<
  Awaited<ReturnType<NonNullable<ReturnType<typeof businessQuery>['queryFn']>>>
>

const reviewPageSize = 6

/** The reviews of a business, newest first, page by page (BIZ-11). */
export const reviewsQuery = (businessId: string) =>
  infiniteQueryOptions({
    queryKey: businessKeys.reviews(businessId),
    queryFn: async ({ pageParam, signal }) =>
      unwrapCounted(
        await db
          .from('reviews')
          .select(
            'id, rating, comment, created_at, profiles(full_name, avatar_url), response:review_responses(content, created_at)',
            { count: 'exact' },
          )
          .eq('business_id', businessId)
          .order('created_at', { ascending: false })
          .order('id')
          .range(pageParam, pageParam + reviewPageSize - 1)
          .abortSignal(signal),
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const read = pages.reduce((sum, page) => sum + page.rows.length, 0)
      return read < last.total && last.rows.length > 0 ? read : undefined
    },
  })

/** The distribution of a business's star ratings. */
export const ratingsQuery = (businessId: string) =>
  queryOptions({
    queryKey: businessKeys.ratings(businessId),
    queryFn: async ({ signal }) =>
      distributionOf(
        unwrap(
          await db.rpc('rating_distribution', { p_business_id: businessId }).abortSignal(signal),
        ),
      ),
  })

/** Where a path was moved to (ROUTE-36); null if it was not. */
export const redirectQuery = (path: string) =>
  queryOptions({
    queryKey: businessKeys.redirect(path),
    queryFn: async ({ signal }) => {
      const row = unwrap(
        await db
          .from('url_redirects')
          .select('new_url')
          .eq('old_url', path)
          .eq('is_active', true)
          .abortSignal(signal)
          .maybeSingle(),
      )
      return row?.new_url ?? null
    },
    retry: false,
  })
