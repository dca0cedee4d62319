import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { ErrorBoundary } from '@/components/error-boundary'
import { part } from '@/components/part'
import { nextSlotsQuery, resultsQuery, searchPageSize } from '@/features/businesses/api/queries'
import { BizCard, BizCardSkeleton } from '@/features/businesses/components/biz-card'
import { categoriesQuery } from '@/features/directory/api/queries'
import { topCodeOf } from '@/features/directory/model/categories'
import { popularCityNames } from '@/features/location/model/cities'
import { FilterBar } from '@/features/search/components/filter-bar'
import { SearchBar } from '@/features/search/components/search-bar'
import { SearchCrumbs } from '@/features/search/components/search-crumbs'
import { SearchResults } from '@/features/search/components/search-results'
import {
  addressOf,
  type Base,
  findCategory,
  headingOf,
  resultsTitleOf,
  type Terms,
} from '@/features/search/model/terms'
import { pageTitle, usePageMeta } from '@/lib/page-meta'
import { paths } from '@/lib/paths'
import { useNewest } from '@/lib/use-newest'
import { suggestCities } from './suggest-cities'

// Most searches find something.
const SearchEmpty = part(
  async () => (await import('@/features/search/components/search-empty')).SearchEmpty,
)

const ResultsRecorder = part(
  async () => (await import('@/features/businesses/components/results-recorder')).ResultsRecorder,
  null,
)

type Slots = UseQueryResult<Map<string, { booking_date: string; start_time: string }>>

/** What a card says of the next free time; nothing where nobody takes bookings or it is not known. */
function nextOf(business: { id: string; owner_id: string | null }, slots: Slots) {
  if (business.owner_id === null || slots.isError) return undefined
  return slots.data ? (slots.data.get(business.id) ?? null) : 'pending'
}

type SearchScreenProps = {
  terms: Terms
  /** The path that fixes some of the terms, where one does. */
  base?: Base
  /** In place of the heading that the terms give. */
  heading?: string
  /** In place of the title that they give to the results. */
  resultsTitle?: string
  /** Between the filters and the results. */
  children?: ReactNode
}

/** The results page in all its addresses: search, place, category. */
export function SearchScreen({ terms, base, heading, resultsTitle, children }: SearchScreenProps) {
  const navigate = useNavigate()
  const { key: address } = useLocation()
  const results = useQuery(resultsQuery(terms))
  const { data: categories = [] } = useQuery(categoriesQuery)
  const bookable = results.data?.rows.filter((row) => row.owner_id !== null) ?? []
  const slots = useQuery(nextSlotsQuery(bookable.map((row) => row.id)))
  const category = findCategory(terms.category, categories)
  const title = heading ?? headingOf(terms)
  usePageMeta({ title: pageTitle(title) })

  const hrefOf = (next: Terms) => addressOf(next, base)
  const { newest, ask } = useNewest(terms, address)
  const change = (part: Partial<Terms>, replace: boolean) => {
    const next = { ...newest(), page: 1, ...part }
    ask(next)
    void navigate(hrefOf(next), { replace, preventScrollReset: true })
  }
  // Typing refines in place: no new step back for each letter, and nothing scrolls.
  const refine = (part: Partial<Terms>) => change(part, true)
  const choose = (part: Partial<Terms>) => change(part, false)
  const now = new Date()

  return (
    <div className="page grid gap-5 pt-4 pb-16 *:min-w-0 sm:pt-6">
      <SearchBar
        terms={terms}
        suggestCities={suggestCities}
        onChange={refine}
        onOpen={(slug) => void navigate(paths.business(slug))}
      />
      <SearchCrumbs
        findLoc={terms.findLoc}
        categories={categories}
        categoryCode={category?.code ?? ''}
        onCategory={(code) =>
          choose({ category: categories.find((one) => one.code === code)?.name ?? '' })
        }
      />
      <h1 className="text-2xl [overflow-wrap:anywhere] sm:text-3xl">{title}</h1>
      <FilterBar
        terms={terms}
        categories={categories}
        categoryCode={category?.code ?? ''}
        onChange={choose}
      />
      {children}
      <ErrorBoundary>
        <SearchResults
          query={results}
          title={resultsTitle ?? resultsTitleOf(terms, category?.name ?? terms.category)}
          page={terms.page}
          pageSize={searchPageSize}
          hrefOf={(page) => hrefOf({ ...terms, page })}
          skeleton={<BizCardSkeleton shape="row" />}
          empty={
            <Suspense fallback={<div className="min-h-96" />}>
              <SearchEmpty
                terms={terms}
                categories={categories}
                locations={popularCityNames}
                hrefOf={hrefOf}
              />
            </Suspense>
          }
        >
          {(business) => (
            <BizCard
              business={business}
              isPromoted={business.isPromoted}
              topCategory={topCodeOf(business.category_code ?? business.type, categories)}
              shape="row"
              now={now}
              next={nextOf(business, slots)}
            />
          )}
        </SearchResults>
        <Suspense>{results.data && <ResultsRecorder rows={results.data.rows} />}</Suspense>
      </ErrorBoundary>
    </div>
  )
}
