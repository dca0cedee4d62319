import { Link, useSearchParams } from 'react-router'
import type { Column } from '@/components/data-table'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { statusLabel, statusTone } from '@/lib/booking-status'
import { formatDuration } from '@/lib/time'
import { messages } from '../messages'
import {
  type BusinessBooking,
  type Deed,
  deedsFor,
  minutesUntil,
  timeLeft,
  whenText,
} from '../model/business-booking'
import { withBooking } from '../model/open-booking'
import { ProposalText } from './proposal-text'

type ColumnsInput = {
  now: Date
  onDeed: (booking: BusinessBooking, deed: Deed) => void
  busy: string | null
}

/** When, who, what, how it stands, and what can be done about it. */
export function bookingColumns({ now, onDeed, busy }: ColumnsInput): Column<BusinessBooking>[] {
  return [
    {
      key: 'when',
      header: messages.when,
      isTitle: true,
      cell: (booking) => (
        <span className="grid gap-0.5">
          <OpenLink booking={booking}>{whenText(booking, now)}</OpenLink>
          <Urgency booking={booking} now={now} />
        </span>
      ),
    },
    {
      key: 'customer',
      header: messages.customer,
      cell: (booking) => (
        <span className="grid gap-0.5 [overflow-wrap:anywhere]">
          {booking.customer}
          {booking.isWalkIn && <span className="text-xs text-muted">{messages.walkIn}</span>}
        </span>
      ),
    },
    {
      key: 'service',
      header: messages.service,
      cell: ({ serviceName, duration, notes }) => (
        <span className="grid gap-0.5 [overflow-wrap:anywhere]">
          <span>
            {serviceName} · {formatDuration(duration)}
          </span>
          {notes !== null && <span className="line-clamp-2 text-muted">“{notes}”</span>}
        </span>
      ),
    },
    {
      key: 'status',
      header: messages.status,
      cell: ({ status, cancelKind }) => (
        <Badge tone={statusTone(status)}>{statusLabel(status, cancelKind)}</Badge>
      ),
    },
    {
      key: 'actions',
      header: messages.actions,
      isActions: true,
      align: 'end',
      cell: (booking) => <RowDeeds booking={booking} now={now} onDeed={onDeed} busy={busy} />,
    },
  ]
}

/** A link to the booking's own sheet; the list behind it stays where it is. */
function OpenLink({ booking, children }: { booking: BusinessBooking; children: React.ReactNode }) {
  const [params] = useSearchParams()
  return (
    <Link
      to={{ search: withBooking(params, booking.id).toString() }}
      preventScrollReset
      className="font-semibold text-primary underline-offset-4 hover:underline sm:whitespace-nowrap max-sm:inline-flex max-sm:min-h-11 max-sm:items-center"
    >
      {children}
      <span className="sr-only">, {booking.customer}</span>
    </Link>
  )
}

/** What presses: how long a request can be answered, that another time is asked for, that it is to be closed. */
function Urgency({ booking, now }: { booking: BusinessBooking; now: Date }) {
  const { status, proposal } = booking
  return (
    <>
      {status === 'pending' && (
        <span className="text-xs font-normal text-warning">{timeLeft(booking, now)}</span>
      )}
      {status === 'confirmed' && minutesUntil(booking, now) <= 0 && (
        <span className="text-xs font-normal text-muted">{messages.toComplete}</span>
      )}
      {proposal && <ProposalText proposal={proposal} className="text-xs font-normal" />}
    </>
  )
}

const inRow: readonly Deed[] = ['accept', 'decline', 'complete', 'no-show']

type RowDeedsProps = ColumnsInput & { booking: BusinessBooking }

function RowDeeds({ booking, now, onDeed, busy }: RowDeedsProps) {
  // What is seldom wanted, and putting right what was said before, stand in the booking's sheet.
  const isOpen = booking.status === 'pending' || booking.status === 'confirmed'
  const deeds = isOpen ? deedsFor(booking, now).filter((deed) => inRow.includes(deed)) : []
  return (
    <span className="flex flex-wrap gap-2 sm:justify-end lg:flex-nowrap">
      {deeds.map((deed) => (
        <Button
          key={deed}
          size="sm"
          variant={deed === 'accept' || deed === 'complete' ? 'primary' : 'outline'}
          pending={busy === `${booking.id} ${deed}`}
          onClick={() => onDeed(booking, deed)}
        >
          {messages.deeds[deed]}
          <span className="sr-only">
            : {booking.customer}, {whenText(booking, now)}
          </span>
        </Button>
      ))}
    </span>
  )
}
