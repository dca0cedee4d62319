import { cn } from '@/lib/cn'
import { Picture } from './picture'

/** A business's complete logo on its own background. The name is next to it. */
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
