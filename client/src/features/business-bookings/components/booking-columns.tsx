import { Link, useSearchParams } from 'react-router'
import type { Column } from '@/components/data-table'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { statusLabel, statusTone } from '@/lib/booking-status'
import { formatDuration } from '@/lib/time'
import { messages } from '../messages'
import {
  actionsFor,
  type BookingAction,
  type BusinessBooking,
  minutesUntil,
  timeLeft,
  whenText,
} from '../model/business-booking'
import { withBooking } from '../model/open-booking'
import { ProposalText } from './proposal-text'
import type { BookingActions } from './use-booking-actions'

type ColumnsInput = {
  now: Date
  onAction: BookingActions['onAction']
  busy: BookingActions['busy']
}

/** The columns: time, customer, service, status, and actions. */
export function bookingColumns({ now, onAction, busy }: ColumnsInput): Column<BusinessBooking>[] {
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
      cell: (booking) => <RowActions booking={booking} now={now} onAction={onAction} busy={busy} />,
    },
  ]
}

/** A link that opens the booking's sheet; the list behind it does not change. */
function OpenLink({ booking, children }: { booking: BusinessBooking; children: React.ReactNode }) {
  const [params] = useSearchParams()
  return (
    <Link
      to={{ search: withBooking(params, booking.id).toString() }}
      preventScrollReset
      className="reach font-semibold text-primary underline-offset-4 hover:underline sm:whitespace-nowrap max-sm:inline-flex max-sm:min-h-11 max-sm:items-center"
    >
      {children}
      <span className="sr-only">, {booking.customer}</span>
    </Link>
  )
}

/** What needs attention: time left to answer, a proposed time, a booking to complete. */
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

const inRow: readonly BookingAction[] = ['accept', 'decline', 'complete', 'no-show']

type RowActionsProps = ColumnsInput & { booking: BusinessBooking }

function RowActions({ booking, now, onAction, busy }: RowActionsProps) {
  // Rare actions and corrections are in the booking's sheet.
  const isOpen = booking.status === 'pending' || booking.status === 'confirmed'
  const actions = isOpen ? actionsFor(booking, now).filter((action) => inRow.includes(action)) : []
  return (
    <span className="flex flex-wrap gap-2 max-sm:px-3 max-sm:pb-2 sm:justify-end lg:flex-nowrap">
      {actions.map((action) => (
        <Button
          key={action}
          size="sm"
          variant={action === 'accept' || action === 'complete' ? 'primary' : 'outline'}
          disabled={busy.has(booking.id)}
          pending={busy.get(booking.id) === action}
          onClick={() => onAction(booking, action)}
        >
          {messages.action[action]}
          <span className="sr-only">
            : {booking.customer}, {whenText(booking, now)}
          </span>
        </Button>
      ))}
    </span>
  )
}
