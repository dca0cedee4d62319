import { cn } from '@/lib/cn'
import { Picture } from './picture'

/** A business's logo, whole, on a ground of its own. The name stands beside it. */
export function LogoPicture({ url, className }: { url: string; className: string }) {
  return (
    <Picture
      url={url}
      alt=""
      sizes="4rem"
      className={cn(
        'shrink-0 rounded-control border border-line bg-surface object-contain',
        className,
      )}
    />
  )
}
