import { countText } from '@/lib/formats'

type FiguresProps = { label: string; figures: readonly { name: string; value: number }[] }

/** A few numbers side by side. */
export function Figures({ label, figures }: FiguresProps) {
  return (
    <dl className={figuresGrid} aria-label={label}>
      {figures.map(({ name, value }) => (
        <div
          key={name}
          className="grid rounded-card border max-lg:odd:last:col-span-2 border-line bg-surface px-4 py-3"
        >
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="nums font-display text-2xl">{countText(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Also of the skeletons in their place. */
export const figuresGrid = 'grid grid-cols-2 gap-4 lg:grid-cols-[repeat(auto-fit,minmax(8rem,1fr))]'
