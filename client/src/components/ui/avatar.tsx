import { useState } from 'react'
import { cn } from '@/lib/cn'

/** Returns the initials of the first and the last word of a name. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined]
  return letters.map((word) => Array.from(word ?? '')[0]?.toUpperCase() ?? '').join('') || '?'
}

/** A picture or initials; decorative, because the name is next to it or on the control. */
export function Avatar({
  name,
  src,
  className,
}: {
  name: string
  src?: string | null
  className?: string
}) {
  const [broken, setBroken] = useState<string | null>(null)
  return (
    <span
      className={cn(
        'inline-flex size-10 shrink-0 items-center justify-center overflow-hidden rounded-full bg-primary-soft text-sm font-semibold text-primary',
        className,
      )}
      aria-hidden
    >
      {src && src !== broken ? (
        <img
          src={src}
          alt=""
          className="size-full object-cover"
          loading="lazy"
          onError={() => setBroken(src)}
        />
      ) : (
        initialsOf(name)
      )}
    </span>
  )
}
