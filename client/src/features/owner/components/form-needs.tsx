import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState } from '@/components/ui/error-state'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { placesQuery } from '../api/queries'
import { detailsMessages as words } from '../details-messages'
import type { Place } from '../model/place'
import type { CategoryChoice } from './type-select'

type Needs = { places: readonly Place[]; categories: readonly CategoryChoice[] }

type FormNeedsProps = {
  /** Read from the query by the caller: reading them is what makes it re-render. */
  categories: {
    data: readonly CategoryChoice[] | undefined
    error: Error | null
    refetch: () => unknown
  }
  /** The plan is still loading. */
  isPending: boolean
  children: (needs: Needs) => ReactNode
}

/** Loads the form's options, towns and categories, and shows a placeholder until then. */
export function FormNeeds({ categories, isPending, children }: FormNeedsProps) {
  const { data, error, refetch } = useQuery(placesQuery)
  const places = { data, error, refetch }
  if (places.data && categories.data && !isPending) {
    return children({ places: places.data, categories: categories.data })
  }
  const failed = [places, categories].find(({ error }) => error !== null)
  if (failed) {
    return (
      <ErrorState
        title={words.placesFailed}
        error={failed.error}
        onRetry={() => void failed.refetch()}
      />
    )
  }
  return (
    <SkeletonGroup label={words.pending} className="grid gap-6">
      <Skeleton className="h-11 w-full max-w-96" />
      <div className="grid gap-x-10 gap-y-5 lg:grid-cols-[15rem_minmax(0,1fr)]">
        <Skeleton className="h-16" />
        <Skeleton className="h-96 max-w-2xl rounded-card" />
      </div>
    </SkeletonGroup>
  )
}
