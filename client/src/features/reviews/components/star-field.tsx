import { Star } from 'lucide-react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { cn } from '@/lib/cn'
import { writeMessages as messages } from '../write-messages'

type StarFieldProps = {
  control: UseFormRegisterReturn
  /** The number of stars; 0 for none. */
  value: number
  error: string | undefined
}

const stars = [1, 2, 3, 4, 5] as const

/** One to five stars as radio buttons, so that arrow keys move between them. */
export function StarField({ control, value, error }: StarFieldProps) {
  return (
    <fieldset className="grid gap-1.5" aria-describedby={error ? 'stars-error' : undefined}>
      <legend className="text-sm font-semibold">{messages.rating}</legend>
      <div className="flex">
        {stars.map((star) => (
          <label
            key={star}
            className="grid size-11 cursor-pointer place-items-center rounded-control focus-within:outline-2 focus-within:outline-primary"
          >
            <input
              {...control}
              type="radio"
              value={star}
              className="sr-only"
              aria-invalid={error !== undefined || undefined}
              data-autofocus={star === Math.max(value, 1) || undefined}
            />
            <span className="sr-only">{messages.stars(star)}</span>
            <Star
              className={cn('size-7 text-saffron', star <= value && 'fill-saffron')}
              strokeWidth={1.75}
              aria-hidden
            />
          </label>
        ))}
      </div>
      {error !== undefined && (
        <p id="stars-error" className="text-sm text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}
