import { useQuery } from '@tanstack/react-query'
import { type LoaderFunctionArgs, redirect, replace, useLocation, useParams } from 'react-router'
import { queryClient } from '@/app/query-client'
import { categoriesQuery } from '@/features/directory/api/queries'
import { findPlace } from '@/features/location/model/cities'
import { findCategory, modernQuery, readTerms, wordsOf } from '@/features/search/model/terms'
import { SearchScreen } from './search-screen'

/** Converts older addresses (ROUTE-07, ROUTE-08) before anything is drawn. */
export function loader({ request }: LoaderFunctionArgs) {
  const { pathname, searchParams } = new URL(request.url)
  const query = modernQuery(searchParams)
  if (query !== null) {
    // Opened or gone back to, the older address is in the history and must not stay there;
    // followed from a page, it is not there yet, and the page itself must stay.
    const isOpened = window.location.href === request.url
    return (isOpened ? replace : redirect)(query === '' ? pathname : `${pathname}?${query}`)
  }
  void queryClient.prefetchQuery(categoriesQuery)
  return null
}

/** /search, /search/{location} and /search/{location}/{category} (ROUTE-06, ROUTE-09). */
export function Component() {
  const { location, category } = useParams()
  const { pathname, search } = useLocation()
  const { data: categories = [] } = useQuery(categoriesQuery)
  const terms = readTerms(new URLSearchParams(search))
  if (location === undefined) return <SearchScreen terms={terms} />

  const fixed = {
    findLoc: findPlace(location)?.name ?? wordsOf(location),
    // Until the list is there, the slug itself: the server takes it, too.
    ...(category !== undefined && {
      category: findCategory(category, categories)?.name ?? category,
    }),
  }
  return <SearchScreen terms={{ ...terms, ...fixed }} base={{ pathname, ...fixed }} />
}
