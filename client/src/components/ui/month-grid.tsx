import type { KeyboardEvent, Ref } from 'react'
import { cn } from '@/lib/cn'
import { formatDay } from '@/lib/time'
import { monthWeeks } from './calendar-days'
import { messages } from './messages'

const dayNames = Object.values(messages.shortWeekdays)

type MonthGridProps = {
  /** Any day of the month. */
  month: string
  today: string
  /** The day that is in the tab order. */
  stop: string
  isChosen: (date: string) => boolean
  /** Reports whether a day is between two selected days. */
  isBetween?: (date: string) => boolean
  isBlocked: (date: string) => boolean
  onChoose: (date: string) => void
  onKeyDown?: (event: KeyboardEvent) => void
  /** Hides the days of other months, for months side by side. */
  hidesOutside?: boolean
  ref?: Ref<HTMLTableElement>
}

/** The days of a month; the parent handles the keys. */
export function MonthGrid(props: MonthGridProps) {
  const { month, today, stop, hidesOutside = false, onKeyDown, ref } = props
  const isOutside = (date: string) => date.slice(0, 7) !== month.slice(0, 7)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a calendar is a grid in the ARIA pattern */}
      <table ref={ref} role="grid" className="w-full table-fixed" onKeyDown={onKeyDown}>
        <caption className="sr-only">{formatDay(month, 'month')}</caption>
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
                  {!(hidesOutside && isOutside(date)) && (
                    <DayButton
                      date={date}
                      isOutside={isOutside(date)}
                      isChosen={props.isChosen(date)}
                      isBetween={props.isBetween?.(date) === true}
                      isToday={date === today}
                      isBlocked={props.isBlocked(date)}
                      isStop={date === stop}
                      onChoose={() => props.onChoose(date)}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

type DayButtonProps = {
  date: string
  isOutside: boolean
  isChosen: boolean
  isBetween: boolean
  isToday: boolean
  isBlocked: boolean
  isStop: boolean
  onChoose: () => void
}

function DayButton(props: DayButtonProps) {
  const { date, isOutside, isChosen, isBetween, isToday, isBlocked, isStop, onChoose } = props
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
        isBetween && 'bg-primary-soft',
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
