import { Link, useSearchParams } from 'react-router'
import { statusLabel } from '@/lib/booking-status'
import { cn } from '@/lib/cn'
import { messages } from '../messages'
import type { BusinessBooking } from '../model/business-booking'
import { maxConcurrent } from '../model/calendar'
import { withBooking } from '../model/open-booking'

const looks: Record<string, string> = {
  pending: 'border-warning bg-warning-soft',
  confirmed: 'border-success bg-success-soft',
  completed: 'border-line bg-sunken',
}

type Look = {
  tabIndexOf: (key: string) => number
  /** The view shows a single day. */
  isWide: boolean
}

/** Overlapping bookings of a day: side by side if there is space, otherwise one below the other. */
export function BookingGroup({
  bookings,
  tabIndexOf,
  isWide,
}: Look & { bookings: readonly BusinessBooking[] }) {
  const most = maxConcurrent(bookings)
  return (
    <div className="grid gap-1.5 rounded-card border border-line p-1.5">
      <p className="px-1 text-sm text-muted">{messages.atOnce(most)}</p>
      <ul
        className={cn(
          'grid gap-1.5',
          isWide && 'sm:grid-cols-[repeat(auto-fit,minmax(13rem,1fr))]',
        )}
      >
        {bookings.map((booking) => (
          <li key={booking.id} className="grid">
            <BookingLink booking={booking} tabIndexOf={tabIndexOf} isWide={isWide} isCard />
          </li>
        ))}
      </ul>
    </div>
  )
}

/**
 * A booking in the calendar: time, customer and service. The status is shown as a colour, and as
 * text if there is space.
 */
export function BookingLink({
  booking,
  tabIndexOf,
  isWide,
  isCard = false,
}: Look & {
  booking: BusinessBooking
  /** One of several side by side. */
  isCard?: boolean
}) {
  const [params] = useSearchParams()
  return (
    <Link
      to={{ search: withBooking(params, booking.id).toString() }}
      preventScrollReset
      data-day={booking.date}
      data-stop={booking.id}
      tabIndex={tabIndexOf(booking.id)}
      className={cn(
        'grid min-h-11 gap-0.5 rounded-control border-s-4 px-2.5 py-1.5 text-sm [overflow-wrap:anywhere] hover:brightness-97',
        isCard ? 'content-start' : 'content-center',
        isWide && !isCard && 'sm:flex sm:flex-wrap sm:items-center sm:gap-x-4',
        looks[booking.status],
      )}
    >
      <span className="nums font-semibold">
        {booking.start}–{booking.end}
      </span>
      <span>{booking.customer}</span>
      <span className="text-muted">{booking.serviceName}</span>
      <span className={isWide ? cn('text-muted', !isCard && 'sm:ms-auto') : 'sr-only'}>
        {statusLabel(booking.status)}
      </span>
    </Link>
  )
}
