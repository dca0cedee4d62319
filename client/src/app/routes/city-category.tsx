import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useLocation, useParams } from 'react-router'
import { lazyPart } from '@/components/lazy-part'
import { ButtonLink } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { resultsQuery, searchQuery } from '@/features/businesses/api/results'
import { BizCard, BizCardSkeleton } from '@/features/businesses/components/biz-card'
import { type City, cityCategoriesQuery } from '@/features/city/api/queries'
import { CityHead } from '@/features/city/components/city-head'
import { BusinessLinks, CategoryLinks } from '@/features/city/components/city-side'
import { messages } from '@/features/city/messages'
import { cityPageSize, othersOf, popularCount } from '@/features/city/model/city-lists'
import { categoriesQuery } from '@/features/directory/api/queries'
import { topCodeOf } from '@/features/directory/model/categories'
import { SearchResults } from '@/features/search/components/search-results'
import { findCategory, noTerms, readTerms, wordsOf } from '@/features/search/model/terms'
import { localName } from '@/lib/local-name'
import { pageTitle, usePageMeta } from '@/lib/page-meta'
import { paths } from '@/lib/paths'
import { CityFrame, cityGrid } from './city-frame'
import { UnknownCategory } from './unknown-category'

const ResultsRecorder = lazyPart(
  async () => (await import('@/features/businesses/components/results-recorder')).ResultsRecorder,
  null,
)

export { loader } from './search-loader'

/** /c/{city}/{category}: its businesses, other categories and what is popular (CITY-05 to CITY-09). */
export function Component() {
  const { city: slug = '', category = '' } = useParams()
  return (
    <CityFrame slug={slug}>
      {(city) => <CategoryPage key={category} city={city} slug={category} />}
    </CityFrame>
  )
}

function CategoryPage({ city, slug }: { city: City; slug: string }) {
  const { data: categories, isSuccess } = useQuery(categoriesQuery)
  const isKnown = !isSuccess || findCategory(slug, categories) !== undefined
  return isKnown ? (
    <CategoryListing city={city} slug={slug} />
  ) : (
    <UnknownCategory slug={slug} city={city} />
  )
}

function CategoryListing({ city, slug }: { city: City; slug: string }) {
  const { pathname, search } = useLocation()
  const { page } = readTerms(new URLSearchParams(search))
  const { data: categories = [] } = useQuery(categoriesQuery)
  const { data: counts = [] } = useQuery(cityCategoriesQuery(city.slug))
  const category = findCategory(slug, categories)
  const name = category ? localName(category.name) : wordsOf(slug)
  const title = messages.categoryIn(name, localName(city.name))
  usePageMeta({ title: pageTitle(title) })
  const terms = { ...noTerms, findLoc: city.name, category: category?.code ?? slug, page }
  const results = useQuery(resultsQuery(terms, cityPageSize))
  const { data: popular } = useQuery(searchQuery({ ...noTerms, findLoc: city.name }, popularCount))
  const now = new Date()
  return (
    <div className={cityGrid}>
      <div className="grid gap-8">
        <CityHead
          title={title}
          count={results.data?.total}
          crumbs={[
            { key: 'city', label: localName(city.name), to: paths.city(city.slug) },
            { key: 'category', label: name },
          ]}
        />
        <SearchResults
          query={results}
          title={messages.list}
          page={page}
          pageSize={cityPageSize}
          hrefOf={(to) => (to === 1 ? pathname : `${pathname}?page=${to}`)}
          skeleton={<BizCardSkeleton shape="row" />}
          empty={
            <EmptyState
              as="h3"
              title={messages.noneInCategory(name, localName(city.name))}
              text={messages.noneInCategoryText}
              action={
                <ButtonLink to={paths.search({ category: category?.name ?? name })}>
                  {name}
                </ButtonLink>
              }
            />
          }
        >
          {(business) => (
            <BizCard
              business={business}
              isPromoted={business.isPromoted}
              topCategory={topCodeOf(business.category_code ?? business.type, categories)}
              shape="row"
              now={now}
            />
          )}
        </SearchResults>
        <Suspense>{results.data && <ResultsRecorder rows={results.data.rows} />}</Suspense>
      </div>
      <aside className="grid gap-5">
        <CategoryLinks
          title={messages.otherCategories(localName(city.name))}
          city={city.slug}
          categories={othersOf(counts, category?.code ?? slug)}
        />
        <BusinessLinks
          title={messages.popular(localName(city.name))}
          businesses={popular?.rows ?? []}
        />
      </aside>
    </div>
  )
}
