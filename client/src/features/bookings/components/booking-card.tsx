import { CalendarPlus, Clock, RotateCcw, Star, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Badge } from '@/components/ui/badge'
import { Button, ButtonLink, buttonClass } from '@/components/ui/button'
import { statusLabel, statusTone } from '@/lib/booking-status'
import { formatMoney } from '@/lib/money'
import { paths } from '@/lib/paths'
import { formatDay, formatDuration, wallClock } from '@/lib/time'
import { readerZone, zoneNote } from '@/lib/zone-note'
import { messages } from '../messages'
import {
  type Booking,
  canCancel,
  endingText,
  isUpcoming,
  relativeDay,
  whenLabel,
} from '../model/booking'
import { ProposalAnswer } from './proposal-answer'

type BookingCardProps = {
  booking: Booking
  now: Date
  onCancel: (booking: Booking) => void
  onMove: (booking: Booking) => void
  /** Returns a data URL of the appointment as a calendar file. */
  calendarHref: (booking: Booking) => string
  onReview: (businessId: string) => void
}

/** One appointment: day, place, service, price, status, and its actions (BOOK-19). */
export function BookingCard({
  booking,
  now,
  onCancel,
  onMove,
  calendarHref,
  onReview,
}: BookingCardProps) {
  const { businessName, businessKey, serviceName, duration, price, status, notes } = booking
  const upcoming = isUpcoming(booking, now)
  const near = upcoming ? relativeDay(booking.date, wallClock(now, booking.zone).date) : null
  const note = upcoming ? zoneNote(booking, readerZone()) : null
  return (
    <article className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-3 rounded-card border border-line bg-surface p-4 sm:gap-x-5 sm:p-5">
      <DateTile date={booking.date} isMuted={!upcoming} />
      <div className="grid min-w-0 content-start gap-1">
        <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
          <h2 className="min-w-0 text-lg [overflow-wrap:anywhere]">
            {businessKey === null ? (
              businessName
            ) : (
              <Link to={paths.business(businessKey)} className="reach hover:underline">
                {businessName}
              </Link>
            )}
          </h2>
          <Badge tone={statusTone(status)}>{statusLabel(status, booking.cancelKind)}</Badge>
        </div>
        <p className="nums font-semibold">
          {whenLabel(booking, now)}
          {near !== null && <span className="font-normal text-muted"> · {near}</span>}
          {note !== null && <span className="font-normal text-muted"> · {note}</span>}
        </p>
        <p className="nums text-muted">
          {serviceName} · {formatDuration(duration)} ·{' '}
          {price === 0 ? messages.free : formatMoney(price)}
        </p>
        {booking.place !== '' && <p className="text-sm text-muted">{booking.place}</p>}
        {businessKey === null && <p className="text-sm text-muted">{messages.businessGone}</p>}
        {upcoming && status === 'pending' && (
          <p className="text-sm text-muted">{messages.pendingHint}</p>
        )}
        <CancellationNote booking={booking} />
        {notes !== null && (
          <p className="text-sm text-muted">
            {messages.notes}: {notes}
          </p>
        )}
      </div>
      {upcoming && booking.proposal && (
        <ProposalAnswer bookingId={booking.id} proposal={booking.proposal} />
      )}
      <CardActions
        booking={booking}
        isUpcoming={upcoming}
        canCancel={canCancel(booking, now)}
        onCancel={onCancel}
        onMove={onMove}
        calendarHref={calendarHref}
        onReview={onReview}
      />
    </article>
  )
}

/** How a cancelled booking ended, and the given reason. */
function CancellationNote({ booking }: { booking: Booking }) {
  const ending = endingText(booking)
  const { cancelReason } = booking
  return (
    <>
      {ending !== null && <p className="text-sm">{ending}</p>}
      {cancelReason !== null && (
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          {messages.reason}: {cancelReason}
        </p>
      )}
    </>
  )
}

/** The day as a calendar sheet; the text next to it has the same content. */
function DateTile({ date, isMuted }: { date: string; isMuted: boolean }) {
  // 'dc. 25 de nov.' in Catalan.
  const [weekday = '', day = '', ...rest] = formatDay(date).split(' ')
  const month = rest.at(-1)
  return (
    <div
      aria-hidden
      className={`grid w-14 content-start self-start overflow-hidden rounded-control border border-line text-center ${isMuted ? 'text-muted' : ''}`}
    >
      <span
        className={`py-0.5 text-xs font-semibold ${isMuted ? 'bg-sunken' : 'bg-primary text-on-primary'}`}
      >
        {month}
      </span>
      <span className="nums pt-1 font-display text-xl font-semibold">{day}</span>
      <span className="pb-1 text-xs">{weekday}</span>
    </div>
  )
}

type CardActionsProps = Pick<
  BookingCardProps,
  'booking' | 'onCancel' | 'onMove' | 'calendarHref' | 'onReview'
> & {
  isUpcoming: boolean
  canCancel: boolean
}

function CardActions({
  booking,
  isUpcoming: upcoming,
  canCancel: cancellable,
  onCancel,
  onMove,
  calendarHref,
  onReview,
}: CardActionsProps) {
  const about = (
    <span className="sr-only">
      : {booking.businessName}, {formatDay(booking.date)}
    </span>
  )
  const again = !upcoming && booking.businessKey !== null
  if (!upcoming && !again) return null
  return (
    <div className="col-span-full flex flex-wrap gap-2 sm:col-start-2">
      {upcoming && (
        <a
          className={buttonClass({ variant: 'outline', size: 'sm' })}
          href={calendarHref(booking)}
          download={`plaza-${booking.date}.ics`}
        >
          <CalendarPlus className="size-4" strokeWidth={1.75} aria-hidden />
          {messages.addToCalendar}
          {about}
        </a>
      )}
      {cancellable && booking.businessKey !== null && booking.serviceId !== null && (
        <Button variant="outline" size="sm" onClick={() => onMove(booking)}>
          <Clock className="size-4" strokeWidth={1.75} aria-hidden />
          {messages.move}
          {about}
        </Button>
      )}
      {cancellable && (
        <Button variant="quiet" size="sm" className="text-danger" onClick={() => onCancel(booking)}>
          <X className="size-4" strokeWidth={1.75} aria-hidden />
          {messages.cancel}
          {about}
        </Button>
      )}
      {booking.status === 'completed' && booking.businessKey !== null && (
        <Review businessId={booking.businessKey} about={about} onReview={onReview} />
      )}
      {again && booking.businessKey !== null && (
        <ButtonLink
          variant="outline"
          size="sm"
          to={{
            pathname: paths.business(booking.businessKey),
            search: booking.serviceId === null ? '' : `?service=${booking.serviceId}`,
          }}
        >
          <RotateCcw className="size-4" strokeWidth={1.75} aria-hidden />
          {messages.bookAgain}
          {about}
        </ButtonLink>
      )}
    </div>
  )
}

type ReviewProps = { businessId: string; about: ReactNode; onReview: (businessId: string) => void }

function Review({ businessId, about, onReview }: ReviewProps) {
  return (
    <Button variant="soft" size="sm" onClick={() => onReview(businessId)}>
      <Star className="size-4" strokeWidth={1.75} aria-hidden />
      {messages.review}
      {about}
    </Button>
  )
}
