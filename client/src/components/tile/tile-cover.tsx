import { cn } from '@/lib/cn'
import { tileSpec } from './tile-spec'
import { tileImage } from './tile-svg'

type TileCoverProps = {
  /** Slug of a top category. */
  category: string
  /** Id of a business; without it, the tile is the category's own. */
  id?: string
  /** Scales the tiles, for large and small areas. */
  zoom?: number
  className?: string
}

/**
 * The cover of a business without a photo: its tile pattern, in the size given by the class.
 * Decorative; the name is always next to it.
 */
export function TileCover({ category, id = '', zoom = 1, className }: TileCoverProps) {
  const spec = tileSpec(category, id)
  return (
    <div
      aria-hidden
      data-tile={spec.motif}
      className={cn('bg-center', className)}
      style={{
        backgroundColor: spec.colors[0],
        backgroundImage: tileImage(spec),
        backgroundSize: `${Math.round(spec.scale * zoom)}px`,
      }}
    />
  )
}
