import { useQuery } from '@tanstack/react-query'
import { QueryState } from '@/components/query-state'
import { Alert } from '@/components/ui/alert'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { useUnsavedDialog } from '@/components/use-unsaved-dialog'
import { statusLabel, statusTone } from '@/lib/booking-status'
import { formatMoney } from '@/lib/money'
import { formatDuration } from '@/lib/time'
import { businessBookingQuery } from '../api/queries'
import { messages } from '../messages'
import {
  actionsFor,
  type BookingAction,
  type BusinessBooking,
  timeLeft,
  whenText,
} from '../model/business-booking'
import { NoteForm } from './note-form'
import { ProposalAnswer } from './proposal-answer'
import type { BookingActions } from './use-booking-actions'
import { useNote } from './use-note'

type BookingSheetProps = {
  businessId: string
  bookingId: string
  onAction: BookingActions['onAction']
  busy: BookingActions['busy']
  onClose: () => void
}

/** All details of a booking: customer, service, time, messages, actions, and a private note. */
export function BookingSheet({
  businessId,
  bookingId,
  onAction,
  busy,
  onClose,
}: BookingSheetProps) {
  const query = useQuery(businessBookingQuery(businessId, bookingId))
  const { data: booking } = query
  const note = useNote({ businessId, bookingId, stored: booking?.privateNote ?? '' })
  const { close, guard } = useUnsavedDialog({
    isDirty: note.isDirty,
    isPending: note.isPending,
    onClose,
  })
  return (
    <>
      <Dialog
        open
        onClose={close}
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
                {found.proposal && (
                  <ProposalAnswer bookingId={found.id} proposal={found.proposal} />
                )}
                <SheetActions booking={found} onAction={onAction} busy={busy} />
                <NoteForm note={note} />
              </div>
            )
          }
        </QueryState>
      </Dialog>
      {guard}
    </>
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

type SheetActionsProps = Pick<BookingSheetProps, 'onAction' | 'busy'> & { booking: BusinessBooking }

const quiet: readonly BookingAction[] = ['decline', 'cancel', 'no-show', 'move']

function SheetActions({ booking, onAction, busy }: SheetActionsProps) {
  const actions = actionsFor(booking, new Date())
  if (actions.length === 0) return null
  return (
    <div className="flex flex-wrap gap-2">
      {actions.map((action) => (
        <Button
          key={action}
          variant={quiet.includes(action) ? 'outline' : 'primary'}
          disabled={busy.has(booking.id)}
          pending={busy.get(booking.id) === action}
          onClick={() => onAction(booking, action)}
        >
          {messages.action[action]}
        </Button>
      ))}
    </div>
  )
}
