import { cn } from '@/lib/cn'
import { fnv1a, tileCategories, tileSpec } from './tile-spec'
import { tileImage } from './tile-svg'

type TileMarkProps = ({ category: string; seed?: never } | { seed: string; category?: never }) & {
  className?: string
}

/** A single tile as an emblem: a category's own, or one selected by a seed text. */
export function TileMark({ category, seed = '', className }: TileMarkProps) {
  const slug = category ?? tileCategories[fnv1a(seed) % tileCategories.length] ?? ''
  const spec = tileSpec(slug)
  return (
    <div
      aria-hidden
      className={cn('bg-cover', className)}
      style={{ backgroundColor: spec.colors[0], backgroundImage: tileImage(spec) }}
    />
  )
}
