import { type LoaderFunctionArgs, redirect, replace } from 'react-router'
import { begin } from '@/app/begin'
import { queryClient } from '@/app/query-client'
import { resultsQuery } from '@/features/businesses/api/results'
import { categoriesQuery } from '@/features/directory/api/queries'
import { placeQuery } from '@/features/location/api/place'
import { modernQuery } from '@/features/search/model/terms'
import { pathTerms } from './path-terms'

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
  const categories = queryClient.prefetchQuery(categoriesQuery)
  // A city's own list asks for itself (routes/city-category.tsx).
  if (params.city !== undefined) return begin(categories)

  const { location, category = params.slug } = params
  // What the place is called stands in the heading.
  const naming = placeQuery(location ?? '')
  if (location) await queryClient.prefetchQuery(naming)
  const place = queryClient.getQueryData(naming.queryKey)
  const results = async () => {
    if (category !== undefined) await categories
    const known = queryClient.getQueryData(categoriesQuery.queryKey)
    // The screen has asked meanwhile, and has told what failed.
    if (category !== undefined && !known) return
    const address = { pathname, search: `${searchParams}`, location, category }
    await queryClient.prefetchQuery(resultsQuery(pathTerms(address, place, known ?? []).terms))
  }
  return begin(categories, results())
}
