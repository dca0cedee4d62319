import { useQuery } from '@tanstack/react-query'
import { QueryState } from '@/components/query-state'
import { Alert } from '@/components/ui/alert'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { statusLabel, statusTone } from '@/lib/booking-status'
import { formatMoney } from '@/lib/money'
import { formatDuration } from '@/lib/time'
import { businessBookingQuery } from '../api/queries'
import { messages } from '../messages'
import {
  type BusinessBooking,
  type Deed,
  deedsFor,
  timeLeft,
  whenText,
} from '../model/business-booking'
import { NoteForm } from './note-form'
import { ProposalAnswer } from './proposal-answer'

type BookingSheetProps = {
  businessId: string
  bookingId: string
  onDeed: (booking: BusinessBooking, deed: Deed) => void
  busy: string | null
  onClose: () => void
}

/** One booking whole: who, what, when, what was said, what can be done, and a note for oneself. */
export function BookingSheet({ businessId, bookingId, onDeed, busy, onClose }: BookingSheetProps) {
  const query = useQuery(businessBookingQuery(businessId, bookingId))
  const { data: booking } = query
  return (
    <Dialog
      open
      onClose={onClose}
      shape="sheet"
      title={booking?.customer ?? messages.details}
      description={booking && whenText(booking, new Date())}
    >
      <QueryState
        query={query}
        errorTitle={messages.detailsError}
        pending={
          <SkeletonGroup label={messages.detailsPending} className="grid gap-4">
            <Skeleton className="h-32" />
            <Skeleton className="h-28" />
          </SkeletonGroup>
        }
        isEmpty={(found) => found === null}
        empty={<Alert tone="warning" title={messages.gone} />}
      >
        {(found) =>
          found && (
            <div className="grid gap-6">
              <Facts booking={found} />
              {found.proposal && <ProposalAnswer bookingId={found.id} proposal={found.proposal} />}
              <SheetDeeds booking={found} onDeed={onDeed} busy={busy} />
              <NoteForm key={found.id} bookingId={found.id} note={found.privateNote ?? ''} />
            </div>
          )
        }
      </QueryState>
    </Dialog>
  )
}

function Facts({ booking }: { booking: BusinessBooking }) {
  const { status, cancelKind, price, phone } = booking
  const facts = [
    {
      term: messages.service,
      text: `${booking.serviceName} · ${formatDuration(booking.duration)}`,
    },
    { term: messages.price, text: price === 0 ? messages.free : formatMoney(price) },
    { term: messages.notes, text: booking.notes },
    { term: messages.reasonGiven, text: booking.cancelReason },
  ]
  return (
    <div className="grid gap-3">
      <p role="status" className="flex flex-wrap items-center gap-3">
        <Badge tone={statusTone(status)}>{statusLabel(status, cancelKind)}</Badge>
        {status === 'pending' && (
          <span className="text-sm text-warning">{timeLeft(booking, new Date())}</span>
        )}
        {booking.isWalkIn && <span className="text-sm text-muted">{messages.walkIn}</span>}
      </p>
      <dl className="grid gap-3">
        {phone !== null && (
          <div>
            <dt className="text-sm text-muted">{messages.phone}</dt>
            <dd>
              <a
                className="inline-flex min-h-11 items-center text-primary underline"
                href={`tel:${phone.replace(/[^+\d]/g, '')}`}
              >
                {phone}
              </a>
            </dd>
          </div>
        )}
        {facts.map(
          ({ term, text }) =>
            text !== null && (
              <div key={term}>
                <dt className="text-sm text-muted">{term}</dt>
                <dd className="nums [overflow-wrap:anywhere] whitespace-pre-line">{text}</dd>
              </div>
            ),
        )}
      </dl>
    </div>
  )
}

type SheetDeedsProps = Pick<BookingSheetProps, 'onDeed' | 'busy'> & { booking: BusinessBooking }

const quiet: readonly Deed[] = ['decline', 'cancel', 'no-show', 'move']

function SheetDeeds({ booking, onDeed, busy }: SheetDeedsProps) {
  const deeds = deedsFor(booking, new Date())
  if (deeds.length === 0) return null
  return (
    <div className="flex flex-wrap gap-2">
      {deeds.map((deed) => (
        <Button
          key={deed}
          variant={quiet.includes(deed) ? 'outline' : 'primary'}
          pending={busy === `${booking.id} ${deed}`}
          onClick={() => onDeed(booking, deed)}
        >
          {messages.deeds[deed]}
        </Button>
      ))}
    </div>
  )
}
