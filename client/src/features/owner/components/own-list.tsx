import { useQuery } from '@tanstack/react-query'
import { QueryState } from '@/components/query-state'
import { ButtonLink } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { paths } from '@/lib/paths'
import { ownBusinessesQuery } from '../api/queries'
import { messages } from '../messages'
import { OwnCard } from './own-card'

type OwnListProps = {
  userId: string
  /** Returns the top category of a category, which determines the tile. */
  topCategoryOf: (categoryCode: string) => string
}

const grid = 'grid gap-5 sm:grid-cols-2 lg:grid-cols-3'

/** The user's businesses as a grid of cards (OWNER-02). */
export function OwnList({ userId, topCategoryOf }: OwnListProps) {
  const query = useQuery(ownBusinessesQuery(userId))
  return (
    <QueryState
      query={query}
      errorTitle={messages.listFailed}
      pending={
        <SkeletonGroup label={messages.listPending} className={grid}>
          {[0, 1, 2].map((index) => (
            <Skeleton key={index} className="h-96 rounded-card" />
          ))}
        </SkeletonGroup>
      }
      isEmpty={(businesses) => businesses.length === 0}
      empty={
        <EmptyState
          title={messages.empty}
          text={messages.emptyText}
          action={<ButtonLink to={paths.search()}>{messages.browse}</ButtonLink>}
        />
      }
    >
      {(businesses) => (
        <ul className={grid}>
          {businesses.map((business) => (
            <li key={business.id} className="grid">
              <OwnCard
                business={business}
                topCategory={topCategoryOf(business.category_code ?? business.type)}
              />
            </li>
          ))}
        </ul>
      )}
    </QueryState>
  )
}
