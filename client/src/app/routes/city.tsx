import { useQuery } from '@tanstack/react-query'
import { Link, type LoaderFunctionArgs, useParams } from 'react-router'
import { queryClient } from '@/app/query-client'
import { startLoading } from '@/app/start-loading'
import { Deferred } from '@/components/deferred'
import { QueryState } from '@/components/query-state'
import { ButtonLink } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { recentQuery, topRatedCount, topRatedQuery } from '@/features/businesses/api/queries'
import { BizCard, BizCardSkeleton } from '@/features/businesses/components/biz-card'
import type { CardBusiness } from '@/features/businesses/model/business-card'
import { type City, cityCategoriesQuery, cityQuery } from '@/features/city/api/queries'
import { CategoryGrid } from '@/features/city/components/category-grid'
import { CityHead } from '@/features/city/components/city-head'
import { AboutCity, Nearby } from '@/features/city/components/city-side'
import { QuickFilters } from '@/features/city/components/quick-filters'
import { messages } from '@/features/city/messages'
import { recentCount, topOf } from '@/features/city/model/city-lists'
import { categoriesQuery } from '@/features/directory/api/queries'
import { topCodeOf } from '@/features/directory/model/categories'
import { localName } from '@/lib/local-name'
import { pageTitle, usePageMeta } from '@/lib/page-meta'
import { paths } from '@/lib/paths'
import { wallClock, zoneFrom } from '@/lib/time'
import { CityFrame, cityGrid } from './city-frame'

/**
 * Starts the page's requests; on a first visit the page includes the responses
 * (functions/firstview).
 */
export function loader({ params }: LoaderFunctionArgs) {
  const { city = '' } = params
  return startLoading(
    queryClient.prefetchQuery(cityQuery(city)),
    queryClient.prefetchQuery(cityCategoriesQuery(city)),
    queryClient.prefetchQuery(topRatedQuery(city)),
    queryClient.prefetchQuery(categoriesQuery),
  )
}

/** /c/{city}: its categories, new businesses, and tips (CITY-01 to CITY-04). */
export function Component() {
  const { city: slug = '' } = useParams()
  return <CityFrame slug={slug}>{(city) => <CityPage city={city} />}</CityFrame>
}

function CityPage({ city }: { city: City }) {
  usePageMeta({ title: pageTitle(messages.businessesIn(localName(city.name))) })
  const counts = useQuery(cityCategoriesQuery(city.slug))
  const now = new Date()
  const zone = zoneFrom(city.time_zone)
  return (
    <div className={cityGrid}>
      <div className="grid gap-8 *:min-w-0 sm:gap-10">
        <CityHead
          title={messages.businessesIn(localName(city.name))}
          count={city.businesses}
          crumbs={[{ key: 'city', label: localName(city.name) }]}
        />
        {city.businesses === 0 ? (
          <EmptyState
            title={messages.noBusinesses}
            text={messages.noBusinessesText(localName(city.name))}
            action={<ButtonLink to={paths.ownerSignUp}>{messages.addBusiness}</ButtonLink>}
          />
        ) : (
          <>
            <QuickFilters city={city.name} today={wallClock(now, zone).date} />
            <TopRatedInCity city={city} now={now} />
            <Deferred>
              <section aria-labelledby="categories" className="grid gap-4 *:min-w-0">
                <h2 id="categories" className="text-xl">
                  {messages.categories}
                </h2>
                <QueryState
                  query={counts}
                  errorTitle={messages.categoriesError}
                  pending={<CategoryGrid city={city.slug} categories={[]} />}
                >
                  {(found) => <CategoryGrid city={city.slug} categories={topOf(found)} />}
                </QueryState>
              </section>
            </Deferred>
            <Deferred>
              <section aria-labelledby="recent" className="grid gap-4">
                <h2 id="recent" className="text-xl">
                  {messages.recent}
                </h2>
                <Recent city={city.name} now={now} />
              </section>
            </Deferred>
          </>
        )}
      </div>
      <aside className="grid gap-5 lg:sticky lg:top-20">
        <Deferred>
          <AboutCity city={city} zone={zone} now={now} />
          <Nearby city={city} />
        </Deferred>
      </aside>
    </div>
  )
}

const quarters = 'grid grid-cols-2 gap-x-4 gap-y-8 sm:grid-cols-4'
const thirds = 'grid grid-cols-2 gap-x-4 gap-y-8 sm:grid-cols-3'

/** The top-rated businesses of a city, above the new ones. */
function TopRatedInCity({ city, now }: { city: City; now: Date }) {
  return (
    <section aria-labelledby="best" className="grid gap-4">
      <h2 id="best" className="text-xl">
        {messages.best(localName(city.name))}
      </h2>
      <QueryState
        query={useQuery(topRatedQuery(city.slug))}
        errorTitle={messages.listError}
        pending={<Placeholders count={topRatedCount} className={quarters} />}
      >
        {(rows) => <Cards rows={rows} className={quarters} now={now} />}
      </QueryState>
    </section>
  )
}

type CardsProps = { rows: readonly CardBusiness[]; className: string; now: Date }

function Cards({ rows, className, now }: CardsProps) {
  const { data: categories = [] } = useQuery(categoriesQuery)
  return (
    <ul className={className}>
      {rows.map((business) => (
        <li key={business.id}>
          <BizCard
            business={business}
            topCategory={topCodeOf(business.category_code ?? business.type, categories)}
            now={now}
          />
        </li>
      ))}
    </ul>
  )
}

function Placeholders({ count, className }: { count: number; className: string }) {
  return (
    <ul className={className}>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are all alike
        <li key={index}>
          <BizCardSkeleton />
        </li>
      ))}
    </ul>
  )
}

/** The new businesses of a city, and a link to all of them (CITY-03). */
function Recent({ city, now }: { city: string; now: Date }) {
  const query = useQuery(recentQuery(city, recentCount))
  return (
    <>
      <QueryState
        query={query}
        errorTitle={messages.recentError}
        pending={<Placeholders count={recentCount} className={thirds} />}
      >
        {({ rows }) => <Cards rows={rows} className={thirds} now={now} />}
      </QueryState>
      {query.data && query.data.total > recentCount && (
        <Link
          to={paths.search({ findLoc: city })}
          className="inline-flex min-h-11 items-center justify-self-start font-semibold text-primary hover:underline"
        >
          {messages.seeAll(localName(city))}
        </Link>
      )}
    </>
  )
}
