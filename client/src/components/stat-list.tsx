import { ArrowDown, ArrowRight, ArrowUp } from 'lucide-react'
import { changeOf } from '@/lib/change'
import { changeText } from '@/lib/figure-text'

export type Stat = {
  label: string
  /** Null if the figure is undefined, such as the average of nothing. */
  current: number | null
  previous: number | null
  format: (figure: number) => string
}

const words = {
  trend: { up: 'up', down: 'down', stable: 'stable' },
  before: (figure: string) => `before: ${figure}`,
  none: 'None yet',
}
const arrows = { up: ArrowUp, down: ArrowDown, stable: ArrowRight }

/** Figures compared with the previous period of the same length. */
export function StatList({ label, stats }: { label: string; stats: readonly Stat[] }) {
  return (
    <dl
      aria-label={label}
      className="grid grid-cols-[repeat(auto-fit,minmax(8.5rem,1fr))] xl:grid-cols-[repeat(auto-fit,minmax(10.5rem,1fr))] gap-x-6 gap-y-5 rounded-panel border border-line bg-surface p-4 sm:p-5"
    >
      {stats.map((stat) => (
        <div key={stat.label} className="grid content-start gap-1">
          <dt className="text-sm text-muted">{stat.label}</dt>
          <dd className="nums font-display text-xl font-semibold sm:text-2xl">
            {stat.current === null ? words.none : stat.format(stat.current)}
          </dd>
          <dd className="nums text-sm text-muted">
            <span className="inline-flex flex-wrap items-center gap-x-1.5">
              <ChangeMark {...stat} />
              {words.before(stat.previous === null ? '–' : stat.format(stat.previous))}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/**
 * The change of a figure, in percent and as an arrow with a word; nothing if there is nothing to
 * compare with.
 */
export function ChangeMark({ current, previous }: Pick<Stat, 'current' | 'previous'>) {
  if (current === null || previous === null) return null
  const { percent, trend } = changeOf(previous, current)
  const Arrow = arrows[trend]
  return (
    <>
      <Arrow className="inline size-4" strokeWidth={1.75} aria-hidden />
      <span className="sr-only">{words.trend[trend]}</span>
      <span className="font-semibold text-ink">{changeText(percent)}</span>
    </>
  )
}
