import type { BookedBusiness } from '../api/queries'
import { MoveDialog } from './move-dialog'
import { ReasonDialog } from './reason-dialog'
import type { BookingActions } from './use-booking-actions'
import { WalkInDialog } from './walk-in-dialog'

type AskedDialogProps = {
  asked: NonNullable<BookingActions['asked']>
  onClose: () => void
  onSend: BookingActions['send']
}

/** The dialog before a booking is declined, cancelled or moved. */
export function AskedDialog({ asked, onClose, onSend }: AskedDialogProps) {
  const { booking } = asked
  if (asked.action === 'move') return <MoveDialog booking={booking} onClose={onClose} />
  return (
    <ReasonDialog
      booking={booking}
      action={asked.action}
      onClose={onClose}
      onConfirm={(reason) => onSend(booking, asked.action, reason)}
    />
  )
}

/** The form for a booking that the business enters; loaded in one file with the other dialogs. */
export function AddDialog(props: { business: BookedBusiness; onClose: () => void }) {
  return <WalkInDialog {...props} />
}
