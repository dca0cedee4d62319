import { CalendarPlus, CircleCheck } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button, ButtonLink, buttonClass } from '@/components/ui/button'
import { absoluteUrl } from '@/lib/language'
import { formatMoney } from '@/lib/money'
import { paths } from '@/lib/paths'
import { formatDay, formatDuration } from '@/lib/time'
import type { CreatedBooking } from '../api/send-booking'
import { calendarFile } from '../model/calendar-file'
import type { BookingFlow } from '../model/use-booking'
import { messages } from '../panel-messages'

type BookingDoneProps = { booking: BookingFlow; done: CreatedBooking }

/** The confirmation: what was booked, where, how to save it and how to cancel it (BOOK-16). */
export function BookingDone({ booking, done }: BookingDoneProps) {
  const { business, restart } = booking
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const start = done.start_time.slice(0, 5)
  const file = calendarFile(
    {
      id: done.id,
      title: `${done.service_name}, ${business.name}`,
      date: done.booking_date,
      start,
      duration: done.service_duration,
      zone: business.zone,
      place: business.place,
      url: absoluteUrl(paths.bookings),
    },
    new Date(),
  )
  return (
    <div className="grid gap-5">
      <div className="grid gap-1">
        <CircleCheck className="size-8 text-success" strokeWidth={1.75} aria-hidden />
        <h3 ref={heading} tabIndex={-1} className="nums text-xl outline-none">
          {formatDay(done.booking_date)}, {start}
        </h3>
        <p>
          {done.service_name} · {formatDuration(done.service_duration)} ·{' '}
          <span className="nums">{formatMoney(done.service_price)}</span>
        </p>
        <p className="text-muted">
          {business.name}, {business.place}
        </p>
      </div>
      <p className="text-sm text-muted">
        {messages.donePending} {messages.doneCancel}
      </p>
      <div className="grid gap-2">
        <ButtonLink to={paths.bookings}>{messages.myBookings}</ButtonLink>
        <a
          className={buttonClass({ variant: 'outline' })}
          href={`data:text/calendar;charset=utf-8,${encodeURIComponent(file)}`}
          download={`plaza-${done.booking_date}.ics`}
        >
          <CalendarPlus className="size-4" strokeWidth={1.75} aria-hidden />
          {messages.addToCalendar}
        </a>
        <Button variant="quiet" onClick={restart}>
          {messages.another}
        </Button>
      </div>
    </div>
  )
}
