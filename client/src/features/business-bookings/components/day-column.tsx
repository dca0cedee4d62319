import { Link, useSearchParams } from 'react-router'
import { statusLabel } from '@/lib/booking-status'
import { cn } from '@/lib/cn'
import { formatDay } from '@/lib/time'
import { messages } from '../messages'
import type { BusinessBooking } from '../model/business-booking'
import { calendarParams } from '../model/calendar'
import { withBooking } from '../model/open-booking'

type DayColumnProps = {
  day: string
  isToday: boolean
  bookings: readonly BusinessBooking[]
  tabIndexOf: (key: string) => number
  /** Alone on the screen. */
  isWide: boolean
}

const looks: Record<string, string> = {
  pending: 'border-warning bg-warning-soft',
  confirmed: 'border-success bg-success-soft',
  completed: 'border-line bg-sunken',
}

/** One day: its name, and its bookings in order. */
export function DayColumn({ day, isToday, bookings, tabIndexOf, isWide }: DayColumnProps) {
  const [params] = useSearchParams()
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
        {bookings.map((booking) => (
          <li key={booking.id}>
            <Link
              to={{ search: withBooking(params, booking.id).toString() }}
              preventScrollReset
              data-day={day}
              data-stop={booking.id}
              tabIndex={tabIndexOf(booking.id)}
              className={cn(
                'grid min-h-11 content-center gap-0.5 rounded-control border-s-4 px-2.5 py-1.5 text-sm [overflow-wrap:anywhere] hover:brightness-97',
                isWide && 'sm:flex sm:flex-wrap sm:items-center sm:gap-x-4',
                looks[booking.status],
              )}
            >
              <span className="nums font-semibold">
                {booking.start}–{booking.end}
              </span>
              <span>{booking.customer}</span>
              <span className="text-muted">{booking.serviceName}</span>
              <span className={isWide ? 'text-muted sm:ms-auto' : 'sr-only'}>
                {statusLabel(booking.status)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
