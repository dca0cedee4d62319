import { queryOptions } from '@tanstack/react-query'
import { locationKeys } from './keys'

/** The name of the place with this slug, in any of its spellings; null if it is unknown. */
export const placeQuery = (slug: string) =>
  queryOptions({
    queryKey: locationKeys.place(slug),
    queryFn: async () => (await import('../model/cities')).findPlace(slug)?.name ?? null,
    enabled: slug !== '',
    staleTime: Number.POSITIVE_INFINITY,
  })
