import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useRef } from 'react'
import { cn } from '@/lib/cn'
import { addDays, formatDay, startOfWeek } from '@/lib/time'
import { Button } from './button'
import { messages } from './messages'

type WeekStripProps = {
  label: string
  value: string | null
  onChange: (date: string) => void
  /** Any day of the shown week; store it next to the value. */
  week: string
  onWeekChange: (monday: string) => void
  min: string
  isDisabled?: (date: string) => boolean
}

/** One week as seven buttons, for a day that is likely to be soon. */
export function WeekStrip({
  label,
  value,
  onChange,
  week,
  onWeekChange,
  min,
  isDisabled,
}: WeekStripProps) {
  const row = useRef<HTMLDivElement>(null)
  const monday = startOfWeek(week)
  const days = Array.from({ length: 7 }, (_, day) => addDays(monday, day))
  const blocked = (date: string) => date < min || isDisabled?.(date) === true
  const stop = days.find((day) => day === value) ?? days.find((day) => !blocked(day)) ?? days[0]

  const handleKey = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const all = [...(row.current?.querySelectorAll<HTMLElement>('[role="radio"]') ?? [])]
    const at = all.findIndex((day) => day === document.activeElement)
    all[at + step]?.focus()
  }

  return (
    <div className="flex items-center">
      <Button
        variant="quiet"
        size="icon"
        className="-ms-3"
        disabled={monday <= min}
        onClick={() => onWeekChange(addDays(monday, -7))}
      >
        <ChevronLeft className="size-5" strokeWidth={1.75} aria-hidden />
        <span className="sr-only">{messages.previousWeek}</span>
      </Button>
      <div
        ref={row}
        role="radiogroup"
        aria-label={label}
        className="grid flex-1 grid-cols-7"
        onKeyDown={handleKey}
      >
        {days.map((date) => (
          // biome-ignore lint/a11y/useSemanticElements: seven native radios could not be marked unavailable one by one and styled as days
          <button
            key={date}
            type="button"
            role="radio"
            aria-checked={date === value}
            aria-disabled={blocked(date) || undefined}
            aria-label={formatDay(date, 'long')}
            tabIndex={date === stop ? 0 : -1}
            className={cn(
              'nums grid min-h-14 place-content-center justify-items-center rounded-control transition-colors',
              date === value && 'bg-primary text-on-primary',
              date !== value && !blocked(date) && 'hover:bg-sunken',
              blocked(date) && 'text-muted opacity-50',
            )}
            onClick={() => !blocked(date) && onChange(date)}
          >
            <span className={cn('text-xs', date !== value && 'text-muted')}>
              {formatDay(date).slice(0, 2)}
            </span>
            <span className="font-semibold">{Number(date.slice(8))}</span>
          </button>
        ))}
      </div>
      <Button
        variant="quiet"
        size="icon"
        className="-me-3"
        onClick={() => onWeekChange(addDays(monday, 7))}
      >
        <ChevronRight className="size-5" strokeWidth={1.75} aria-hidden />
        <span className="sr-only">{messages.nextWeek}</span>
      </Button>
    </div>
  )
}
