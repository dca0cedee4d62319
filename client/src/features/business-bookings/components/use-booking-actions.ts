import { useState } from 'react'
import { useAnswer, useRunningActions } from '../api/mutations'
import type { BookingAction, BusinessBooking } from '../model/business-booking'

type OpenDialog = { booking: BusinessBooking; action: 'decline' | 'cancel' | 'move' }

/** The business's actions on bookings, with a dialog where one is needed. */
export function useBookingActions() {
  const answer = useAnswer()
  const busy = useRunningActions()
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null)

  const onAction = (booking: BusinessBooking, action: BookingAction) => {
    if (action === 'move' || action === 'decline' || action === 'cancel') {
      setOpenDialog({ booking, action })
    } else answer.mutate({ booking, action })
  }
  return { openDialog, close: () => setOpenDialog(null), onAction, busy }
}

export type BookingActions = ReturnType<typeof useBookingActions>
