import type { BookedBusiness } from '../api/queries'
import { MoveDialog } from './move-dialog'
import { ReasonDialog } from './reason-dialog'
import type { BookingActions } from './use-booking-actions'
import { WalkInDialog } from './walk-in-dialog'

type ActionDialogProps = {
  openDialog: NonNullable<BookingActions['openDialog']>
  onClose: () => void
}

/** The dialog before a booking is declined, cancelled or moved. */
export function ActionDialog({ openDialog, onClose }: ActionDialogProps) {
  const { booking } = openDialog
  if (openDialog.action === 'move') return <MoveDialog booking={booking} onClose={onClose} />
  return <ReasonDialog booking={booking} action={openDialog.action} onClose={onClose} />
}

/** The form for a booking that the business enters; loaded in one file with the other dialogs. */
export function AddDialog(props: { business: BookedBusiness; onClose: () => void }) {
  return <WalkInDialog {...props} />
}
