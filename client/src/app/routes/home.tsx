import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type LoaderFunctionArgs, redirect, useNavigate } from 'react-router'
import { begin } from '@/app/begin'
import { queryClient } from '@/app/query-client'
import { ErrorBoundary } from '@/components/error-boundary'
import type { ComboboxOption } from '@/components/ui/combobox'
import { isAuthReturn } from '@/features/auth/model/auth-return'
import { TopRated } from '@/features/businesses/components/top-rated'
import { categoriesQuery } from '@/features/directory/api/queries'
import { CategoryMosaic } from '@/features/directory/components/category-mosaic'
import { SearchForm } from '@/features/directory/components/search-form'
import { topCodeOf } from '@/features/directory/model/categories'
import { locationQuery } from '@/features/location/api/queries'
import { LocationPicker } from '@/features/location/components/location-picker'
import { matchCities } from '@/features/location/model/cities'
import { useLocationChoice } from '@/features/location/model/use-location'
import { suggestionsQuery } from '@/features/search/api/queries'
import { choiceOf, optionsOf } from '@/features/search/model/suggestions'
import { usePageMeta } from '@/lib/page-meta'
import { paths } from '@/lib/paths'
import { homeMessages as messages } from './home-messages'
import { Cities, Hero, OwnerBand } from './home-sections'

/** Starts both requests while the screen is still being drawn; neither holds it up. */
export function loader({ request }: LoaderFunctionArgs) {
  // The link of a confirmation mail leads to the site's root; the callback takes it from there.
  const { search, searchParams } = new URL(request.url)
  if (isAuthReturn(searchParams)) return redirect(`${paths.authCallback}${search}`)
  void queryClient.prefetchQuery(locationQuery)
  return begin(queryClient.prefetchQuery(categoriesQuery))
}

const suggestCities = (text: string) =>
  matchCities(text).map((city) => ({ value: city.name, label: city.name, note: city.country }))

export function Component() {
  usePageMeta({ title: messages.title, lang: 'es', description: messages.description })
  const navigate = useNavigate()
  const { city, isPending } = useLocationChoice()
  const { data: categories = [] } = useQuery(categoriesQuery)
  const [typed, setTyped] = useState('')
  const { data: suggestions = [] } = useQuery(suggestionsQuery(typed))
  const take = (option: ComboboxOption, findLoc: string) => {
    const choice = choiceOf(suggestions, option)
    void navigate(
      'slug' in choice ? paths.business(choice.slug) : paths.search({ ...choice.terms, findLoc }),
    )
  }
  return (
    <div className="grid gap-20 sm:gap-24">
      <Hero mosaic={<CategoryMosaic />}>
        <SearchForm
          currentCity={city}
          suggestCities={suggestCities}
          suggestions={optionsOf(suggestions, messages.service)}
          onType={setTyped}
          onSuggestion={take}
          onSearch={(terms) => void navigate(paths.search(terms))}
        />
        <LocationPicker />
      </Hero>
      <ErrorBoundary>
        <TopRated
          city={city}
          isReady={!isPending}
          topCategoryOf={(code) => topCodeOf(code, categories)}
        />
      </ErrorBoundary>
      <Cities />
      <OwnerBand />
    </div>
  )
}
