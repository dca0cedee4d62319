import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { SearchFilters } from '@/app/search/filters'
import { extras } from '@/app/search/load-extras'
import { SearchMapPane } from '@/app/search/map-pane'
import { type Result, SearchResult } from '@/app/search/result'
import { Deferred } from '@/components/deferred'
import { ErrorBoundary } from '@/components/error-boundary'
import { lazyPart } from '@/components/lazy-part'
import { resultsQuery, searchPageSize } from '@/features/businesses/api/results'
import { BizCardSkeleton } from '@/features/businesses/components/biz-card'
import { categoriesQuery } from '@/features/directory/api/queries'
import { SearchBar } from '@/features/search/components/search-bar'
import { SearchCrumbs } from '@/features/search/components/search-crumbs'
import { SearchResults } from '@/features/search/components/search-results'
import {
  addressOf,
  type Base,
  documentTitleOf,
  filterCount,
  findCategory,
  headingOf,
  resultsTitleOf,
  type Terms,
} from '@/features/search/model/terms'
import { localName } from '@/lib/local-name'
import { pageTitle, usePageMeta } from '@/lib/page-meta'
import { paths } from '@/lib/paths'
import { useNewest } from '@/lib/use-newest'

// Most searches have results.
const SearchNoResults = lazyPart(
  async () => (await import('@/app/search/no-results')).SearchNoResults,
)

// Loaded when it is opened.
const SearchSheet = lazyPart(async () => (await import('@/app/search/sheet')).SearchSheet)

const ResultsRecorder = lazyPart(async () => (await extras()).ResultsRecorder, null)
const MeaningLine = lazyPart(async () => (await extras()).MeaningLine, null)
const SetChips = lazyPart(async () => (await extras()).SetChips, null)
const ViewToggle = lazyPart(async () => (await extras()).ViewToggle, null)

type SearchScreenProps = {
  terms: Terms
  /** The path that fixes some of the terms, if there is one. */
  base?: Base
  /** Replaces the heading derived from the terms. */
  heading?: string
  /** Replaces the title of the results derived from the terms. */
  resultsTitle?: string
  /** Between the filters and the results. */
  children?: ReactNode
}

/** The results page for all its URLs: search, place, category. */
export function SearchScreen({ terms, base, heading, resultsTitle, children }: SearchScreenProps) {
  const navigate = useNavigate()
  const { key: address } = useLocation()
  const results = useQuery(resultsQuery(terms))
  const { data: categories = [] } = useQuery(categoriesQuery)
  const category = findCategory(terms.category, categories)
  const title = heading ?? headingOf(terms)
  const categoryName = category ? localName(category.name) : ''
  usePageMeta({ title: pageTitle(heading ?? documentTitleOf(terms, categoryName)) })

  const hrefOf = (next: Terms) => addressOf(next, base)
  const { newest, ask } = useNewest(terms, address)
  const change = (part: Partial<Terms>, replace: boolean) => {
    const next = { ...newest(), page: 1, ...part }
    ask(next)
    void navigate(hrefOf(next), { replace, preventScrollReset: true })
  }
  // Typing replaces the history entry: no entry for each letter, and no scrolling.
  const refine = (part: Partial<Terms>) => change(part, true)
  const choose = (part: Partial<Terms>) => change(part, false)
  const keep = (search: Terms) => void extras().then(({ storeSearch }) => storeSearch(search))
  const isMap = terms.view === 'map'
  const { rows = [], findDesc = '', meaning = [] } = results.data ?? {}
  const card = (business: Result) => (
    <SearchResult business={business} rows={rows} findDesc={findDesc} categories={categories} />
  )

  return (
    <div
      // On phones the map takes the whole screen, below the search fields.
      data-view={terms.view}
      className="page grid gap-5 pt-4 pb-16 *:min-w-0 sm:pt-6 max-lg:data-[view=map]:gap-3 max-lg:data-[view=map]:[&>h1,&_#results]:sr-only max-lg:data-[view=map]:[&>nav]:hidden"
    >
      <Deferred isNear>
        <SearchBar
          terms={terms}
          onType={refine}
          onChoose={choose}
          onSearch={(part) => keep({ ...terms, ...part })}
          onOpen={(slug) => void navigate(paths.business(slug))}
        />
      </Deferred>
      <SearchCrumbs
        findLoc={terms.findLoc}
        categories={categories}
        categoryCode={category?.code ?? ''}
        onCategory={(code) =>
          choose({ category: categories.find((one) => one.code === code)?.name ?? '' })
        }
      />
      <h1 className="text-2xl [overflow-wrap:anywhere] sm:text-3xl">{title}</h1>
      <Deferred isNear>
        <SearchFilters
          terms={terms}
          onChange={choose}
          others={
            (filterCount(terms) > 0 || terms.near !== '') && (
              <SetChips terms={terms} onChange={choose} />
            )
          }
          sheet={(state) => (
            <SearchSheet {...state} terms={terms} categories={categories} onChange={choose} />
          )}
        />
      </Deferred>
      {children}
      <ErrorBoundary>
        <Deferred isNear>
          <SearchResults
            query={results}
            title={resultsTitle ?? resultsTitleOf(terms, categoryName || terms.category)}
            page={terms.page}
            pageSize={searchPageSize}
            hrefOf={(page) => hrefOf({ ...terms, page })}
            note={
              meaning.length > 0 && (
                <Suspense fallback={<p className="min-h-10 sm:min-h-5" />}>
                  <MeaningLine
                    findDesc={findDesc}
                    meaning={meaning}
                    hrefOf={(text) => hrefOf({ ...terms, findDesc: text, page: 1 })}
                  />
                </Suspense>
              )
            }
            beside={
              results.data?.total !== 0 && (
                <SearchMapPane
                  terms={terms}
                  rows={results.data && rows}
                  onChange={choose}
                  card={card}
                />
              )
            }
            isBesideAlone={isMap}
            skeleton={<BizCardSkeleton shape="row" />}
            empty={
              <Suspense fallback={<div className="min-h-96" />}>
                <SearchNoResults terms={terms} categories={categories} hrefOf={hrefOf} />
              </Suspense>
            }
          >
            {card}
          </SearchResults>
        </Deferred>
        <Suspense>
          {results.data && <ResultsRecorder rows={rows} onFollow={() => keep(terms)} />}
          {rows.length > 0 && (
            <ViewToggle isMap={isMap} to={hrefOf({ ...terms, view: isMap ? '' : 'map' })} />
          )}
        </Suspense>
      </ErrorBoundary>
    </div>
  )
}
