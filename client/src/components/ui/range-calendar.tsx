import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { addDays, formatDay } from '@/lib/time'
import { useMediaQuery } from '@/lib/use-media-query'
import { Button } from './button'
import { addMonths, dayForKey } from './calendar-days'
import { messages } from './messages'
import { MonthGrid } from './month-grid'

type Range = { first: string; last: string }

type RangeCalendarProps = {
  value: Range
  /** Called when both ends are selected. */
  onChange: (range: Range) => void
  today: string
  /** The first and the last selectable day. */
  min: string
  max: string
  /** The maximum number of days in a range. */
  maxDays: number
}

/**
 * Two months side by side, one on phones, to select a first and a last day; keys as in Calendar.
 */
export function RangeCalendar({ value, onChange, today, min, max, maxDays }: RangeCalendarProps) {
  const months = useMediaQuery('(min-width: 48rem)') ? 2 : 1
  const [begun, setBegun] = useState<string | null>(null)
  const [cursor, setCursor] = useState(value.last)
  const [start, setStart] = useState(addMonths(value.last, 1 - months))
  const frame = useRef<HTMLDivElement>(null)
  const followFocus = useRef(false)
  // A rotated screen may show fewer months than before.
  const stop = cursor < start || cursor >= addMonths(start, months) ? start : cursor
  const shown = Array.from({ length: months }, (_, index) => addMonths(start, index))

  useEffect(() => {
    if (!followFocus.current) return
    followFocus.current = false
    frame.current?.querySelector<HTMLElement>(`[data-date="${cursor}"]`)?.focus()
  }, [cursor])

  const turn = (by: number) => {
    const next = addMonths(start, by)
    setStart(next)
    setCursor(next)
  }
  const handleKey = (event: KeyboardEvent) => {
    const next = dayForKey(event.key, stop)
    if (next === null) return
    event.preventDefault()
    followFocus.current = true
    setCursor(next)
    if (next < start) setStart(addMonths(next, 0))
    if (next >= addMonths(start, months)) setStart(addMonths(next, 1 - months))
  }
  const choose = (date: string) => {
    setCursor(date)
    if (begun === null) return setBegun(date)
    setBegun(null)
    onChange(begun <= date ? { first: begun, last: date } : { first: date, last: begun })
  }
  const isTooFar = (date: string) =>
    begun !== null && (date <= addDays(begun, -maxDays) || date >= addDays(begun, maxDays))

  return (
    <div ref={frame}>
      <div className="flex items-center gap-2">
        <Button variant="quiet" size="icon" onClick={() => turn(-1)}>
          <ChevronLeft className="size-5" strokeWidth={1.75} aria-hidden />
          <span className="sr-only">{messages.previousMonth}</span>
        </Button>
        <p className="flex-1 text-center text-sm text-muted" aria-live="polite">
          {begun === null ? 'Choose the first day' : 'Choose the last day'}
        </p>
        <Button variant="quiet" size="icon" onClick={() => turn(1)}>
          <ChevronRight className="size-5" strokeWidth={1.75} aria-hidden />
          <span className="sr-only">{messages.nextMonth}</span>
        </Button>
      </div>
      <div className="flex gap-6">
        {shown.map((month) => (
          <div key={month} className="min-w-0 flex-1">
            <p className="pt-1 text-center font-semibold">{formatDay(month, 'month')}</p>
            <MonthGrid
              month={month}
              today={today}
              stop={stop}
              onKeyDown={handleKey}
              hidesOutside
              isChosen={(date) =>
                begun === null ? date === value.first || date === value.last : date === begun
              }
              isBetween={(date) => begun === null && date > value.first && date < value.last}
              isBlocked={(date) => date < min || date > max || isTooFar(date)}
              onChoose={choose}
            />
          </div>
        ))}
      </div>
    </div>
  )
}
