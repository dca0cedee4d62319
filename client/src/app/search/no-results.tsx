import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from 'react-router'
import { alternativesQuery } from '@/features/businesses/api/alternatives'
import type { CategoryChoice } from '@/features/search/components/category-select'
import { SearchEmpty } from '@/features/search/components/search-empty'
import type { Terms } from '@/features/search/model/terms'
import { paths } from '@/lib/paths'
import { popularCityNames } from '@/lib/popular-places'
import { rememberReturn } from '@/lib/return-path'

type SearchNoResultsProps = {
  terms: Terms
  categories: readonly CategoryChoice[]
  hrefOf: (terms: Terms) => string
}

/** Shown when there are no results, with alternatives that have some. */
export function SearchNoResults(props: SearchNoResultsProps) {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const { data, isError } = useQuery(alternativesQuery(props.terms))
  return (
    <SearchEmpty
      {...props}
      alternatives={isError ? [] : data}
      locations={popularCityNames}
      onSignIn={() => {
        rememberReturn(pathname + search)
        void navigate(paths.auth)
      }}
    />
  )
}
