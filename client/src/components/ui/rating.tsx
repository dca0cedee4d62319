import { cn } from '@/lib/cn'
import { countText, oneDecimal } from '@/lib/formats'
import { messages } from './messages'

type Rated = { combined_rating: number | null; rating: number | null }

/** Returns the rating to show: combined, else own, else 0 (SEARCH-21). */
export function ratingOf({ combined_rating, rating }: Rated): number {
  return combined_rating ?? rating ?? 0
}

/** Formats a rating with one decimal. */
function formatRating(value: number): string {
  return oneDecimal(value)
}

type RatingProps = {
  value: number
  /** The number of reviews; shown in parentheses if given. */
  count?: number
  /** `five` shows five stars, filled to the value; `one` a single star, for small spaces. */
  shape?: 'five' | 'one'
  className?: string
}

/**
 * A rating out of five, read aloud as a sentence. Nobody can give 0, so it marks a new business.
 */
export function Rating({ value, count, shape = 'five', className }: RatingProps) {
  if (value === 0)
    return (
      <span className={cn('text-sm font-semibold', className)}>
        {messages.unrated}
        <span className="sr-only">{messages.unratedText}</span>
      </span>
    )
  return (
    <span className={cn('nums inline-flex items-center gap-1.5 text-sm', className)}>
      <span className="sr-only">
        {messages.rated(formatRating(value))}
        {count !== undefined && `, ${messages.reviews(count)}`}
      </span>
      <span
        className={cn('stars', shape === 'five' && 'w-20')}
        style={shape === 'five' ? { backgroundSize: `${value * 20}%` } : undefined}
        aria-hidden
      />
      <span className="font-semibold" aria-hidden>
        {formatRating(value)}
      </span>
      {count !== undefined && (
        <span className="text-muted" aria-hidden>
          ({countText(count)})
        </span>
      )}
    </span>
  )
}
