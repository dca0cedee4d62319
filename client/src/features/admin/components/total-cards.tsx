import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { countText } from '@/lib/formats'

const grid = 'grid grid-cols-2 gap-4 lg:grid-cols-4'

type TotalCardsProps = {
  label: string
  totals: readonly { label: string; count: number }[]
}

/** The totals of a panel, four in a row. */
export function TotalCards({ label, totals }: TotalCardsProps) {
  return (
    <dl className={grid} aria-label={label}>
      {totals.map((total) => (
        <div
          key={total.label}
          className="grid rounded-card border border-line bg-surface px-4 py-3"
        >
          <dt className="text-sm text-muted">{total.label}</dt>
          <dd className="nums font-display text-2xl">{countText(total.count)}</dd>
        </div>
      ))}
    </dl>
  )
}

export function TotalCardsSkeleton({ label }: { label: string }) {
  return (
    <SkeletonGroup label={label} className={grid}>
      {['one', 'two', 'three', 'four'].map((place) => (
        <Skeleton key={place} className="h-20 rounded-card" />
      ))}
    </SkeletonGroup>
  )
}
