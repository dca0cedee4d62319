import { type LoaderFunctionArgs, redirect, replace } from 'react-router'
import { queryClient } from '@/app/query-client'
import { categoriesQuery } from '@/features/directory/api/queries'
import { modernQuery } from '@/features/search/model/terms'

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
