import { useQuery } from '@tanstack/react-query'
import { useLocation, useParams } from 'react-router'
import { categoriesQuery } from '@/features/directory/api/queries'
import { placeQuery } from '@/features/location/api/place'
import { findCategory, readTerms, wordsOf } from '@/features/search/model/terms'
import { SearchScreen } from './search-screen'

export { loader } from './search-loader'

/** /search, /search/{location} and /search/{location}/{category} (ROUTE-06, ROUTE-09). */
export function Component() {
  const { location, category } = useParams()
  const { pathname, search } = useLocation()
  const { data: categories = [] } = useQuery(categoriesQuery)
  const { data: place } = useQuery(placeQuery(location ?? ''))
  const terms = readTerms(new URLSearchParams(search))
  if (location === undefined) return <SearchScreen terms={terms} />

  const fixed = {
    findLoc: place ?? wordsOf(location),
    // Until the list is there, the slug itself: the server takes it, too.
    ...(category !== undefined && {
      category: findCategory(category, categories)?.name ?? category,
    }),
  }
  return <SearchScreen terms={{ ...terms, ...fixed }} base={{ pathname, ...fixed }} />
}
