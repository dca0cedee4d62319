import { useQuery } from '@tanstack/react-query'
import { QueryState } from '@/components/query-state'
import { ButtonLink } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { SkeletonGroup } from '@/components/ui/skeleton'
import { language } from '@/lib/language'
import { localName } from '@/lib/local-name'
import { paths } from '@/lib/paths'
import { useInView } from '@/lib/use-in-view'
import { topRatedCount, topRatedQuery } from '../api/queries'
import { messages } from '../messages'
import { BizCard, BizCardSkeleton } from './biz-card'

type TopRatedProps = {
  city: string
  /** False while the visitor's city is still being determined. */
  isReady: boolean
  topCategoryOf: (code: string) => string
}

const grid = 'grid grid-cols-2 gap-x-4 gap-y-8 lg:grid-cols-4 lg:gap-x-6'

/** 'Top Rated in {city}': loaded when it comes near the viewport (HOME-07). */
export function TopRated({ city, isReady, topCategoryOf }: TopRatedProps) {
  const [ref, isNear] = useInView<HTMLElement>()
  const query = useQuery({ ...topRatedQuery(city), enabled: isNear && isReady })
  const now = new Date()
  return (
    <section ref={ref} lang={language} aria-labelledby="top-rated" className="page">
      <h2 id="top-rated" className="mb-5 text-2xl">
        {messages.topRated(localName(city))}
      </h2>
      <QueryState
        query={query}
        errorTitle={messages.topRatedError}
        isEmpty={(businesses) => businesses.length === 0}
        pending={
          <SkeletonGroup label={messages.topRatedPending} className={grid}>
            {Array.from({ length: topRatedCount }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are all alike
              <BizCardSkeleton key={index} />
            ))}
          </SkeletonGroup>
        }
        empty={
          <EmptyState
            as="h3"
            title={messages.topRatedEmpty(localName(city))}
            text={messages.topRatedEmptyText}
            action={<ButtonLink to={paths.ownerSignUp}>{messages.addBusiness}</ButtonLink>}
          />
        }
      >
        {(businesses) => (
          <ul className={grid}>
            {businesses.map((business) => (
              <li key={business.id}>
                <BizCard
                  business={business}
                  topCategory={topCategoryOf(business.category_code ?? business.type)}
                  now={now}
                />
              </li>
            ))}
          </ul>
        )}
      </QueryState>
    </section>
  )
}
