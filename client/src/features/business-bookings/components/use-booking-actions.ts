import { useState } from 'react'
import { showToast } from '@/components/ui/toast'
import { useAnswer } from '../api/mutations'
import { messages } from '../messages'
import type { BookingAction, BusinessBooking } from '../model/business-booking'
import { refusalText } from '../model/refusal'

type OpenDialog = { booking: BusinessBooking } & (
  | { action: 'decline' | 'cancel' }
  | { action: 'move' }
)

/** The business's actions on bookings, with a dialog where one is needed. */
export function useBookingActions() {
  const answer = useAnswer()
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null)

  const send = (booking: BusinessBooking, action: Exclude<BookingAction, 'move'>, reason = '') => {
    setOpenDialog(null)
    answer.mutate(
      { id: booking.id, action, reason },
      {
        onSuccess: () =>
          showToast({
            title: messages.done[action],
            tone: 'success',
            ...(!booking.isWalkIn && { text: messages.doneText }),
          }),
        onError: (error) =>
          showToast({ title: messages.failed, text: refusalText(error), tone: 'danger' }),
      },
    )
  }
  const onAction = (booking: BusinessBooking, action: BookingAction) => {
    if (action === 'move') setOpenDialog({ booking, action })
    else if (action === 'decline' || action === 'cancel') setOpenDialog({ booking, action })
    else send(booking, action)
  }
  const busy = answer.isPending ? `${answer.variables.id} ${answer.variables.action}` : null
  return { openDialog, close: () => setOpenDialog(null), send, onAction, busy }
}

export type BookingActions = ReturnType<typeof useBookingActions>
