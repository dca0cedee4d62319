import { queryOptions } from '@tanstack/react-query'
import { locationKeys } from './keys'

/** The name of the place whose slug this is, in any of its spellings; null where it is unknown. */
export const placeQuery = (slug: string) =>
  queryOptions({
    queryKey: locationKeys.place(slug),
    queryFn: async () => (await import('../model/cities')).findPlace(slug)?.name ?? null,
    enabled: slug !== '',
    staleTime: Number.POSITIVE_INFINITY,
  })
