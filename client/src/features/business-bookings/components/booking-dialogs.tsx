import type { BookedBusiness } from '../api/queries'
import { MoveDialog } from './move-dialog'
import { ReasonDialog } from './reason-dialog'
import type { BookingActions } from './use-booking-actions'
import { WalkInDialog } from './walk-in-dialog'

type ActionDialogProps = {
  openDialog: NonNullable<BookingActions['openDialog']>
  onClose: () => void
  onSend: BookingActions['send']
}

/** The dialog before a booking is declined, cancelled or moved. */
export function ActionDialog({ openDialog, onClose, onSend }: ActionDialogProps) {
  const { booking } = openDialog
  if (openDialog.action === 'move') return <MoveDialog booking={booking} onClose={onClose} />
  return (
    <ReasonDialog
      booking={booking}
      action={openDialog.action}
      onClose={onClose}
      onConfirm={(reason) => onSend(booking, openDialog.action, reason)}
    />
  )
}

/** The form for a booking that the business enters; loaded in one file with the other dialogs. */
export function AddDialog(props: { business: BookedBusiness; onClose: () => void }) {
  return <WalkInDialog {...props} />
}
