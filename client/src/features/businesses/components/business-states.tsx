import { TileMark } from '@/components/tile/tile-mark'
import { ButtonLink } from '@/components/ui/button'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { paths } from '@/lib/paths'
import { messages } from '../page-messages'

/** The page's columns: the business on the left, the booking on the right. */
export const businessGrid =
  'page grid items-start gap-x-12 pt-4 pb-28 *:min-w-0 sm:pt-6 lg:grid-cols-[minmax(0,1fr)_23.5rem] lg:pb-20'

/** A placeholder for a business page that is loading (BIZ-02). */
export function BusinessSkeleton() {
  return (
    <SkeletonGroup label={messages.businessPending} className={businessGrid}>
      <div className="grid gap-6">
        <Skeleton className="h-5 w-64" />
        <Skeleton className="aspect-4/3 rounded-panel sm:aspect-2/1" />
        <Skeleton className="h-10 w-2/3" />
        <Skeleton className="h-5 w-1/2" />
        <Skeleton className="h-11 w-80 max-w-full" />
        {['a', 'b', 'c', 'd'].map((key) => (
          <Skeleton key={key} className="h-14" />
        ))}
      </div>
      <Skeleton className="h-[34rem] rounded-panel max-lg:hidden" />
    </SkeletonGroup>
  )
}

/** Shown if there is no such business (BIZ-03). */
export function BusinessMissing() {
  return (
    <div className="page grid min-h-[60dvh] place-content-center py-16">
      <div className="grid max-w-lg justify-items-center gap-3 rounded-panel border border-line bg-surface px-6 py-12 text-center">
        <TileMark category="homeservices" className="mb-2 size-20 rounded-card" />
        <h1 className="text-2xl">{messages.notFound}</h1>
        <p className="text-muted">{messages.notFoundText}</p>
        <ButtonLink to={paths.search()} className="mt-3">
          {messages.browse}
        </ButtonLink>
      </div>
    </div>
  )
}
