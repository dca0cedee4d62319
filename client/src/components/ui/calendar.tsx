import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { cn } from '@/lib/cn'
import { formatDay } from '@/lib/time'
import { Button } from './button'
import { addMonths, dayForKey, monthWeeks } from './calendar-days'

export type CalendarProps = {
  /** The chosen day (yyyy-MM-dd), if any. */
  value: string | null
  onChange: (date: string) => void
  /** Today in the zone that counts, so that the calendar has no clock of its own. */
  today: string
  /** Days before it cannot be chosen. */
  min?: string
  max?: string
  isDisabled?: (date: string) => boolean
}

const dayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** A month to choose a day from; arrows walk by day and week, Page keys by month. */
export function Calendar({ value, onChange, today, min, max, isDisabled }: CalendarProps) {
  const [cursor, setCursor] = useState(value ?? min ?? today)
  const grid = useRef<HTMLTableElement>(null)
  const followFocus = useRef(false)
  const month = cursor.slice(0, 7)

  useEffect(() => {
    if (!followFocus.current) return
    followFocus.current = false
    grid.current?.querySelector<HTMLElement>(`[data-date="${cursor}"]`)?.focus()
  }, [cursor])

  const blocked = (date: string) =>
    (min !== undefined && date < min) || (max !== undefined && date > max) || isDisabled?.(date)

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
          <span className="sr-only">Previous month</span>
        </Button>
        <p className="font-semibold" aria-live="polite">
          {formatDay(cursor, 'month')}
        </p>
        <Button variant="quiet" size="icon" onClick={() => setCursor(addMonths(cursor, 1))}>
          <ChevronRight className="size-5" strokeWidth={1.75} aria-hidden />
          <span className="sr-only">Next month</span>
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a calendar is the grid of the ARIA pattern */}
      <table ref={grid} role="grid" className="w-full table-fixed" onKeyDown={handleKey}>
        <caption className="sr-only">{formatDay(cursor, 'month')}</caption>
        <thead>
          <tr>
            {dayNames.map((name) => (
              <th key={name} scope="col" className="h-8 text-xs font-normal text-muted">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {monthWeeks(month).map((week) => (
            <tr key={week[0]}>
              {week.map((date) => (
                <td key={date} className="p-0 text-center">
                  <DayButton
                    date={date}
                    isOutside={date.slice(0, 7) !== month}
                    isChosen={date === value}
                    isToday={date === today}
                    isBlocked={blocked(date) === true}
                    isStop={date === cursor}
                    onChoose={() => onChange(date)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type DayButtonProps = {
  date: string
  isOutside: boolean
  isChosen: boolean
  isToday: boolean
  isBlocked: boolean
  isStop: boolean
  onChoose: () => void
}

function DayButton(props: DayButtonProps) {
  const { date, isOutside, isChosen, isToday, isBlocked, isStop, onChoose } = props
  return (
    <button
      type="button"
      data-date={date}
      data-autofocus={isStop || undefined}
      tabIndex={isStop ? 0 : -1}
      aria-disabled={isBlocked || undefined}
      aria-pressed={isChosen}
      aria-current={isToday ? 'date' : undefined}
      aria-label={formatDay(date, 'long')}
      className={cn(
        'nums inline-flex size-11 max-w-full items-center justify-center rounded-control transition-colors',
        isChosen && 'bg-primary font-semibold text-on-primary',
        !isChosen && !isBlocked && 'hover:bg-sunken',
        isOutside && !isChosen && 'text-muted',
        isToday && !isChosen && 'font-semibold text-primary',
        isBlocked && 'text-muted opacity-50',
      )}
      onClick={() => !isBlocked && onChoose()}
    >
      {Number(date.slice(8))}
    </button>
  )
}
