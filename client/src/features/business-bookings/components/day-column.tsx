import { Link } from 'react-router'
import { cn } from '@/lib/cn'
import { formatDay } from '@/lib/time'
import { messages } from '../messages'
import type { BusinessBooking } from '../model/business-booking'
import { calendarParams, groupsOf } from '../model/calendar'
import { BookingGroup, BookingLink } from './booking-link'

type DayColumnProps = {
  day: string
  isToday: boolean
  bookings: readonly BusinessBooking[]
  tabIndexOf: (key: string) => number
  /** The only day on the screen. */
  isWide: boolean
}

/** One day: its name, and its bookings in order. */
export function DayColumn({ day, isToday, bookings, tabIndexOf, isWide }: DayColumnProps) {
  const look = { tabIndexOf, isWide }
  return (
    <section className="grid min-w-0 content-start gap-2 bg-surface p-2">
      <h3 className="font-text text-sm tracking-normal">
        <Link
          to={{ search: calendarParams('day', day).toString() }}
          data-day={day}
          data-stop={day}
          tabIndex={tabIndexOf(day)}
          aria-label={messages.dayBookings(formatDay(day, 'long'), bookings.length)}
          aria-current={isToday ? 'date' : undefined}
          className={cn(
            'nums inline-flex min-h-11 w-full items-center rounded-control px-2 hover:bg-sunken',
            isToday && 'text-primary',
          )}
        >
          {formatDay(day)}
        </Link>
      </h3>
      {bookings.length === 0 && (
        <p className="px-2 pb-2 text-sm text-muted lg:sr-only">{messages.nothing}</p>
      )}
      <ul className="grid gap-2">
        {groupsOf(bookings).map((group) => {
          const [first, ...others] = group
          if (!first) return null
          return (
            <li key={first.id}>
              {others.length === 0 ? (
                <BookingLink booking={first} {...look} />
              ) : (
                <BookingGroup bookings={group} {...look} />
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
