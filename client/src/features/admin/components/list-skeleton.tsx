import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'

const rows = Array.from({ length: 10 }, (_, row) => row)

/** A placeholder for ten table rows, or as many cards. */
export function ListSkeleton({ label }: { label: string }) {
  return (
    <SkeletonGroup label={label} className="grid max-sm:gap-3 sm:gap-px">
      <Skeleton className="h-11 rounded-b-none max-sm:hidden" />
      {rows.map((row) => (
        <Skeleton key={row} className="h-15 rounded-none max-sm:h-40 max-sm:rounded-card" />
      ))}
    </SkeletonGroup>
  )
}
