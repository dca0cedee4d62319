import { useState } from 'react'
import { showToast } from '@/components/ui/toast'
import { useAnswer } from '../api/mutations'
import { messages } from '../messages'
import type { BookingAction, BusinessBooking } from '../model/business-booking'
import { refusalText } from '../model/refusal'

type Asked = { booking: BusinessBooking } & ({ action: 'decline' | 'cancel' } | { action: 'move' })

/** The business's actions on bookings, with a dialog where one is needed. */
export function useBookingActions() {
  const answer = useAnswer()
  const [asked, setAsked] = useState<Asked | null>(null)

  const send = (booking: BusinessBooking, action: Exclude<BookingAction, 'move'>, reason = '') => {
    setAsked(null)
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
    if (action === 'move') setAsked({ booking, action })
    else if (action === 'decline' || action === 'cancel') setAsked({ booking, action })
    else send(booking, action)
  }
  const busy = answer.isPending ? `${answer.variables.id} ${answer.variables.action}` : null
  return { asked, close: () => setAsked(null), send, onAction, busy }
}

export type BookingActions = ReturnType<typeof useBookingActions>
