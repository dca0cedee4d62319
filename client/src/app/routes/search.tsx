import { useQuery } from '@tanstack/react-query'
import { useLocation, useParams } from 'react-router'
import { categoriesQuery } from '@/features/directory/api/queries'
import { placeQuery } from '@/features/location/api/place'
import { pathTerms } from './path-terms'
import { SearchScreen } from './search-screen'

export { loader } from './search-loader'

/** /search, /search/{location} and /search/{location}/{category} (ROUTE-06, ROUTE-09). */
export function Component() {
  const params = useParams()
  const { data: categories = [] } = useQuery(categoriesQuery)
  const { data: place } = useQuery(placeQuery(params.location ?? ''))
  return <SearchScreen {...pathTerms({ ...useLocation(), ...params }, place, categories)} />
}
