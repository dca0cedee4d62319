import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type LoaderFunctionArgs, redirect, useNavigate } from 'react-router'
import { queryClient } from '@/app/query-client'
import { startLoading } from '@/app/start-loading'
import { Deferred } from '@/components/deferred'
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
import { useLocationChoice } from '@/features/location/model/use-location'
import { storeSearch } from '@/features/search/api/keep'
import { usePlaceSuggestions, useWhatSuggestions } from '@/features/search/model/use-suggestions'
import { homeLanguage } from '@/lib/language'
import { usePageMeta } from '@/lib/page-meta'
import { paths, type SearchTerms } from '@/lib/paths'
import { homeMessages as messages } from './home-messages'
import { Cities, Hero, OwnerBand } from './home-sections'

/** Starts both requests while the screen is still rendering; the screen does not wait for them. */
export function loader({ request }: LoaderFunctionArgs) {
  // The link in a confirmation mail leads to the site's root; redirect it to the callback.
  const { search, searchParams } = new URL(request.url)
  if (isAuthReturn(searchParams)) return redirect(`${paths.authCallback}${search}`)
  void queryClient.prefetchQuery(locationQuery)
  return startLoading(queryClient.prefetchQuery(categoriesQuery))
}

export function Component() {
  usePageMeta({ title: messages.title, lang: homeLanguage, description: messages.description })
  const navigate = useNavigate()
  const { city, isPending } = useLocationChoice()
  const { data: categories = [] } = useQuery(categoriesQuery)
  const [typed, setTyped] = useState({ what: '', where: '' })
  const what = useWhatSuggestions(typed.what, messages.whatWords)
  const where = usePlaceSuggestions(typed.where, messages.placeWords)
  const search = (terms: SearchTerms) => {
    const { findDesc = '', findLoc = '', category = '' } = terms
    storeSearch({ findDesc, findLoc, category })
    void navigate(paths.search(terms))
  }
  const take = (option: ComboboxOption, findLoc: string) => {
    const choice = what.take(option)
    if (choice === null) return
    if ('slug' in choice) void navigate(paths.business(choice.slug))
    else search({ findLoc, ...choice.terms })
  }
  return (
    <div className="grid gap-20 sm:gap-24">
      <Hero mosaic={<CategoryMosaic />}>
        <SearchForm
          currentCity={city}
          what={what}
          where={where}
          onType={(field, text) => setTyped({ ...typed, [field]: text })}
          onSuggestion={take}
          onSearch={search}
        />
        <LocationPicker />
      </Hero>
      <Deferred>
        <ErrorBoundary>
          <TopRated
            city={city}
            isReady={!isPending}
            topCategoryOf={(code) => topCodeOf(code, categories)}
          />
        </ErrorBoundary>
      </Deferred>
      <Deferred>
        <Cities />
        <OwnerBand />
      </Deferred>
    </div>
  )
}
