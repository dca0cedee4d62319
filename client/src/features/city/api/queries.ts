import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { cityKeys } from './keys'

/** A city by its slug, with its number of businesses; null if Plaza does not serve it. */
export const cityQuery = (slug: string) =>
  queryOptions({
    queryKey: cityKeys.one(slug),
    queryFn: async ({ signal }) => {
      const [city, counts] = await Promise.all([
        db
          .from('cities')
          .select('slug, name, local_name, country, time_zone')
          .eq('slug', slug)
          .abortSignal(signal)
          .maybeSingle(),
        db
          .from('city_counts')
          .select('businesses')
          .eq('slug', slug)
          .abortSignal(signal)
          .maybeSingle(),
      ])
      const found = unwrap(city)
      return found && { ...found, businesses: unwrap(counts)?.businesses ?? 0 }
    },
  })

/** The number of businesses per category of a city, the largest first (CITY-02). */
export const cityCategoriesQuery = (slug: string) =>
  queryOptions({
    queryKey: cityKeys.categories(slug),
    queryFn: async ({ signal }) => {
      const rows = unwrap(
        await db
          .from('category_counts')
          .select('category_code, category_name, category_level, parent_category, businesses')
          .eq('city_slug', slug)
          .gt('businesses', 0)
          .order('businesses', { ascending: false })
          .order('category_name')
          .abortSignal(signal),
      )
      // According to its type, a view's columns may be null.
      return rows.flatMap((row) =>
        row.category_code === null || row.category_name === null
          ? []
          : [
              {
                code: row.category_code,
                name: row.category_name,
                parent: row.parent_category,
                businesses: row.businesses ?? 0,
              },
            ],
      )
    },
  })

/** The nearest places with businesses, at most four, from the database. */
export const nearbyQuery = ({ slug, name }: City) =>
  queryOptions({
    queryKey: cityKeys.nearby(slug),
    queryFn: async ({ signal }) =>
      unwrap(
        await db
          .rpc('search_alternatives', { find_loc: name }, { get: true })
          .eq('kind', 'place')
          .abortSignal(signal),
      ).map(({ name, target, distance_km, businesses }) => ({
        name,
        slug: target,
        km: distance_km,
        businesses,
      })),
  })

export type City = NonNullable<
  Awaited<ReturnType<NonNullable<ReturnType<typeof cityQuery>['queryFn']>>>
>
