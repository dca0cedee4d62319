import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { formatDay } from '@/lib/time'
import { Button } from './button'
import { addMonths, dayForKey } from './calendar-days'
import { messages } from './messages'
import { MonthGrid } from './month-grid'

export type CalendarProps = {
  /** The selected day (yyyy-MM-dd), if any. */
  value: string | null
  onChange: (date: string) => void
  /** Today in the relevant time zone, so that the calendar needs no clock. */
  today: string
  /** The first selectable day. */
  min?: string
  max?: string
  isDisabled?: (date: string) => boolean
}

/** A month view to select a day; arrow keys move by day and week, Page keys by month. */
export function Calendar({ value, onChange, today, min, max, isDisabled }: CalendarProps) {
  const [cursor, setCursor] = useState(value ?? min ?? today)
  const grid = useRef<HTMLTableElement>(null)
  const followFocus = useRef(false)

  useEffect(() => {
    if (!followFocus.current) return
    followFocus.current = false
    grid.current?.querySelector<HTMLElement>(`[data-date="${cursor}"]`)?.focus()
  }, [cursor])

  const blocked = (date: string) =>
    (min !== undefined && date < min) ||
    (max !== undefined && date > max) ||
    isDisabled?.(date) === true

  const handleKey = (event: KeyboardEvent) => {
    const next = dayForKey(event.key, cursor)
    if (next === null) return
    event.preventDefault()
    followFocus.current = true
    setCursor(next)
  }

  return (
    <div className="w-full max-w-80">
      <div className="flex items-center justify-between">
        <Button variant="quiet" size="icon" onClick={() => setCursor(addMonths(cursor, -1))}>
          <ChevronLeft className="size-5" strokeWidth={1.75} aria-hidden />
          <span className="sr-only">{messages.previousMonth}</span>
        </Button>
        <p className="font-semibold" aria-live="polite">
          {formatDay(cursor, 'month')}
        </p>
        <Button variant="quiet" size="icon" onClick={() => setCursor(addMonths(cursor, 1))}>
          <ChevronRight className="size-5" strokeWidth={1.75} aria-hidden />
          <span className="sr-only">{messages.nextMonth}</span>
        </Button>
      </div>
      <MonthGrid
        ref={grid}
        month={cursor}
        today={today}
        stop={cursor}
        isChosen={(date) => date === value}
        isBlocked={blocked}
        onChoose={onChange}
        onKeyDown={handleKey}
      />
    </div>
  )
}
