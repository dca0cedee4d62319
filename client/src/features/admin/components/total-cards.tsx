import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { countText } from '@/lib/formats'

const grid = 'grid grid-cols-2 gap-4 lg:grid-cols-[repeat(auto-fit,minmax(8rem,1fr))]'

type TotalCardsProps = {
  label: string
  totals: readonly { label: string; count: number }[]
}

/** The totals of a panel, in a row on wide screens. */
export function TotalCards({ label, totals }: TotalCardsProps) {
  return (
    <dl className={grid} aria-label={label}>
      {totals.map((total) => (
        <div
          key={total.label}
          className="grid rounded-card border border-line max-lg:odd:last:col-span-2 bg-surface px-4 py-3"
        >
          <dt className="text-sm text-muted">{total.label}</dt>
          <dd className="nums font-display text-2xl">{countText(total.count)}</dd>
        </div>
      ))}
    </dl>
  )
}

export function TotalCardsSkeleton({ label, count = 4 }: { label: string; count?: number }) {
  return (
    <SkeletonGroup label={label} className={grid}>
      {['one', 'two', 'three', 'four'].slice(0, count).map((place) => (
        <Skeleton key={place} className="h-20 rounded-card" />
      ))}
    </SkeletonGroup>
  )
}
