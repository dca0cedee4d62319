import { type LoaderFunctionArgs, redirect, replace } from 'react-router'
import { begin } from '@/app/begin'
import { queryClient } from '@/app/query-client'
import { resultsQuery } from '@/features/businesses/api/results'
import { categoriesQuery } from '@/features/directory/api/queries'
import { placeQuery } from '@/features/location/api/place'
import { modernQuery, readTerms } from '@/features/search/model/terms'
import { paths } from '@/lib/paths'

/** Converts older addresses (ROUTE-07, ROUTE-08) before anything is drawn. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const { pathname, searchParams } = new URL(request.url)
  const query = modernQuery(searchParams)
  if (query !== null) {
    // Opened or gone back to, the older address is in the history and must not stay there;
    // followed from a page, it is not there yet, and the page itself must stay.
    const isOpened = window.location.href === request.url
    return (isOpened ? replace : redirect)(query === '' ? pathname : `${pathname}?${query}`)
  }
  // What it is called stands in the heading.
  if (params.location) await queryClient.prefetchQuery(placeQuery(params.location))
  const terms = readTerms(searchParams)
  return begin(
    queryClient.prefetchQuery(categoriesQuery),
    // Elsewhere the path says a part of what is searched for.
    ...(pathname === paths.search() ? [queryClient.prefetchQuery(resultsQuery(terms))] : []),
  )
}
