import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { cn } from '@/lib/cn'

/** A placeholder for a list. */
export function RowsSkeleton({ label, row, count }: { label: string; row: string; count: number }) {
  return (
    <SkeletonGroup label={label} className="grid gap-3">
      {Array.from({ length: count }, (_, index) => index).map((index) => (
        <Skeleton key={index} className={cn('rounded-card', row)} />
      ))}
    </SkeletonGroup>
  )
}
