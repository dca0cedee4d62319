import { type LoaderFunctionArgs, redirect, replace } from 'react-router'
import { queryClient } from '@/app/query-client'
import { startLoading } from '@/app/start-loading'
import { resultsQuery } from '@/features/businesses/api/results'
import { categoriesQuery } from '@/features/directory/api/queries'
import { placeQuery } from '@/features/location/api/place'
import { modernQuery } from '@/features/search/model/terms'
import { withoutLanguage } from '@/lib/language'
import { pathTerms } from './path-terms'

/** Redirects older URLs (ROUTE-07, ROUTE-08) before anything is rendered. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const { pathname: requested, searchParams } = new URL(request.url)
  const pathname = withoutLanguage(requested)
  const query = modernQuery(searchParams)
  if (query !== null) {
    // If the older URL was opened directly or by Back, it is in the history and is replaced there.
    // If a link on a page led to it, it is not in the history yet, and the page's own entry must
    // stay.
    const isOpened = window.location.href === request.url
    return (isOpened ? replace : redirect)(query === '' ? pathname : `${pathname}?${query}`)
  }
  const categories = queryClient.prefetchQuery(categoriesQuery)
  // A city's own list starts its requests itself (routes/city-category.tsx).
  if (params.city !== undefined) return startLoading(categories)

  const { location, category = params.slug } = params
  // The heading contains the name of the place.
  const naming = placeQuery(location ?? '')
  if (location) await queryClient.prefetchQuery(naming)
  const place = queryClient.getQueryData(naming.queryKey)
  const results = async () => {
    if (category !== undefined) await categories
    const known = queryClient.getQueryData(categoriesQuery.queryKey)
    // The screen has sent its requests meanwhile and reported any failure.
    if (category !== undefined && !known) return
    const address = { pathname, search: `${searchParams}`, location, category }
    await queryClient.prefetchQuery(resultsQuery(pathTerms(address, place, known ?? []).terms))
  }
  return startLoading(categories, results())
}
