import type { BookedBusiness } from '../api/queries'
import { MoveDialog } from './move-dialog'
import { ReasonDialog } from './reason-dialog'
import type { Deeds } from './use-deeds'
import { WalkInDialog } from './walk-in-dialog'

type AskedDialogProps = {
  asked: NonNullable<Deeds['asked']>
  onClose: () => void
  onSend: Deeds['send']
}

/** The question before a booking is declined, called off or moved. */
export function AskedDialog({ asked, onClose, onSend }: AskedDialogProps) {
  const { booking } = asked
  if (asked.deed === 'move') return <MoveDialog booking={booking} onClose={onClose} />
  return (
    <ReasonDialog
      booking={booking}
      deed={asked.deed}
      onClose={onClose}
      onConfirm={(reason) => onSend(booking, asked.deed, reason)}
    />
  )
}

/** The form for a booking that the business enters; it comes in one file with the others. */
export function AddDialog(props: { business: BookedBusiness; onClose: () => void }) {
  return <WalkInDialog {...props} />
}
