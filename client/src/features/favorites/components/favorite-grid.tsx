import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { PagedList } from '@/components/paged-list'
import { QueryState } from '@/components/query-state'
import { ButtonLink } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { paths } from '@/lib/paths'
import { type Favorite, favoritesQuery } from '../api/list-queries'
import { useRemoveFavorite } from '../api/remove'
import { listMessages as messages } from '../list-messages'
import { FavoriteCard } from './favorite-card'

type FavoriteGridProps = {
  userId: string
  /** Returns the top category of a category, which determines the tile. */
  topCategoryOf: (categoryCode: string) => string
  /** Shows only the first favourites, with this link to all of them. */
  allHref?: string
}

const grid = 'grid gap-x-5 gap-y-8 sm:grid-cols-2 xl:grid-cols-3'

/** Number of favourites in the overview. */
const previewCount = 3

/** A user's favourites as a grid (DASH-08, FAV-05). */
export function FavoriteGrid({ userId, topCategoryOf, allHref }: FavoriteGridProps) {
  const query = useInfiniteQuery(favoritesQuery(userId))
  const remove = useRemoveFavorite(userId)
  const section = useRef<HTMLElement>(null)
  const card = ({ business }: Favorite) => (
    <FavoriteCard
      business={business}
      topCategory={topCategoryOf(business.category_code ?? business.type)}
      onRemove={() => {
        // The focused button is removed with its card.
        section.current?.focus()
        remove.mutate(business)
      }}
    />
  )
  const pending = <GridSkeleton count={allHref === undefined ? 6 : previewCount} />
  return (
    <section ref={section} tabIndex={-1} aria-label={messages.title} className="outline-none">
      {allHref === undefined ? (
        <PagedList
          query={query}
          pending={pending}
          empty={<NoFavorites />}
          words={{ ...messages, error: messages.listError }}
          className={grid}
        >
          {card}
        </PagedList>
      ) : (
        <QueryState
          query={query}
          pending={pending}
          errorTitle={messages.listError}
          isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
          empty={<NoFavorites />}
        >
          {({ pages }) => (
            <div className="grid justify-items-start gap-6">
              <ul className={`${grid} w-full`}>
                {pages
                  .flatMap(({ items }) => items)
                  .slice(0, previewCount)
                  .map((favorite) => (
                    <li key={favorite.id}>{card(favorite)}</li>
                  ))}
              </ul>
              <ButtonLink to={allHref} variant="outline">
                {messages.viewAll}
              </ButtonLink>
            </div>
          )}
        </QueryState>
      )}
    </section>
  )
}

function NoFavorites() {
  return (
    <EmptyState
      as="h3"
      title={messages.empty}
      text={messages.emptyText}
      action={<ButtonLink to={paths.search()}>{messages.search}</ButtonLink>}
    />
  )
}

function GridSkeleton({ count }: { count: number }) {
  return (
    <SkeletonGroup label={messages.pending} className={grid}>
      {Array.from({ length: count }, (_, index) => index).map((index) => (
        <div key={index} className="grid gap-3">
          <Skeleton className="aspect-3/2 rounded-card" />
          <Skeleton className="h-19" />
          <Skeleton className="h-11 w-32" />
        </div>
      ))}
    </SkeletonGroup>
  )
}
