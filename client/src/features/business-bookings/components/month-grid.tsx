import { Link } from 'react-router'
import { monthWeeks } from '@/components/ui/calendar-days'
import { cn } from '@/lib/cn'
import { formatDay } from '@/lib/time'
import { messages } from '../messages'
import type { BusinessBooking } from '../model/business-booking'
import { calendarParams } from '../model/calendar'
import type { CalendarKeys } from './use-calendar-keys'

type MonthGridProps = {
  date: string
  today: string
  days: ReadonlyMap<string, BusinessBooking[]>
  keys: CalendarKeys
}

const dayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** A month; each day links to its bookings. */
export function MonthGrid({ date, today, days, keys }: MonthGridProps) {
  const month = date.slice(0, 7)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move through the links below
    <div
      ref={keys.frame}
      className="overflow-hidden rounded-card border border-line"
      onKeyDown={keys.onKeyDown}
      onFocus={keys.onFocus}
    >
      <table className="w-full table-fixed border-collapse">
        <caption className="sr-only">{formatDay(date, 'month')}</caption>
        <thead>
          <tr>
            {dayNames.map((name) => (
              <th key={name} scope="col" className="h-9 text-sm font-semibold text-muted">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {monthWeeks(month).map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day} className="border border-line p-0 align-top">
                  <DayLink
                    day={day}
                    isOutside={!day.startsWith(month)}
                    isToday={day === today}
                    bookings={days.get(day) ?? []}
                    tabIndex={keys.tabIndexOf(day)}
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

/** The number that fits into a cell. */
const most = 3

type DayLinkProps = {
  day: string
  isOutside: boolean
  isToday: boolean
  bookings: readonly BusinessBooking[]
  tabIndex: number
}

function DayLink({ day, isOutside, isToday, bookings, tabIndex }: DayLinkProps) {
  const waiting = bookings.filter(({ status }) => status === 'pending').length
  return (
    <Link
      to={{ search: calendarParams('day', day).toString() }}
      data-day={day}
      data-stop={day}
      tabIndex={tabIndex}
      aria-current={isToday ? 'date' : undefined}
      aria-label={messages.dayBookings(formatDay(day, 'long'), bookings.length)}
      className={cn(
        'nums grid min-h-14 content-start gap-1 p-1.5 text-sm hover:bg-sunken focus-visible:outline-offset-[-2px] sm:min-h-28',
        isOutside && 'text-muted',
      )}
    >
      <span className={cn('font-semibold', isToday && 'text-primary')}>{Number(day.slice(8))}</span>
      {bookings.length > 0 && (
        <span
          className={cn(
            'w-fit rounded-chip px-1.5 text-xs font-semibold sm:hidden',
            waiting > 0 ? 'bg-warning-soft text-warning' : 'bg-success-soft text-success',
          )}
        >
          {bookings.length}
        </span>
      )}
      <span className="grid gap-1 max-sm:hidden">
        {bookings.slice(0, most).map(({ id, start, customer, status }) => (
          <span
            key={id}
            className={cn(
              'truncate rounded-chip px-1.5 text-xs',
              status === 'pending'
                ? 'bg-warning-soft text-warning'
                : 'bg-success-soft text-success',
            )}
          >
            {start} {customer}
          </span>
        ))}
        {bookings.length > most && (
          <span className="text-xs text-muted">{messages.more(bookings.length - most)}</span>
        )}
      </span>
    </Link>
  )
}
