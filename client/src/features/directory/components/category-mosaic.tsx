import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { QueryState } from '@/components/query-state'
import { TileCover } from '@/components/tile/tile-cover'
import { SkeletonGroup } from '@/components/ui/skeleton'
import { cn } from '@/lib/cn'
import { paths } from '@/lib/paths'
import { categoriesQuery } from '../api/queries'
import { categoryNames, messages } from '../messages'
import { popularCategories, popularCount } from '../model/categories'

// Ten pieces that fill a square of four by four, and two columns on phones.
const places = [
  'sm:row-span-2',
  'sm:col-span-2',
  'sm:row-span-2',
  '',
  '',
  'sm:col-span-2',
  '',
  'sm:row-span-2',
  '',
  'sm:col-span-2',
]

const mosaic = 'grid auto-rows-[5.25rem] grid-cols-2 gap-2.5 sm:auto-rows-[6.5rem] sm:grid-cols-4'

/** Popular categories as a mosaic of tiles; each links to its search (HOME-06, NAV-10). */
export function CategoryMosaic() {
  const query = useQuery(categoriesQuery)
  return (
    <QueryState
      query={query}
      errorTitle={messages.categoriesError}
      errorText={messages.categoriesErrorText}
      retryLabel={messages.retry}
      pending={
        <SkeletonGroup label={messages.categoriesPending} className={mosaic}>
          {places.slice(0, popularCount).map((place, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a place in the mosaic is its index
            <div key={index} className={cn('animate-pulse rounded-card bg-sunken', place)} />
          ))}
        </SkeletonGroup>
      }
    >
      {(categories) => (
        <ul className={mosaic}>
          {popularCategories(categories).map((category, index) => (
            <li key={category.code} className={cn(places[index])}>
              <Link
                to={paths.search({ category: category.name })}
                className="group relative block size-full overflow-hidden rounded-card"
              >
                <TileCover
                  category={category.code}
                  className="absolute inset-0 transition-transform duration-200 group-hover:scale-[1.03]"
                />
                <span className="absolute bottom-2 left-2 rounded-full bg-surface px-3 py-1 text-sm font-semibold group-hover:text-primary">
                  {categoryNames[category.code] ?? category.name}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </QueryState>
  )
}
