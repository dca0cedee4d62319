import { useState } from 'react'
import { showToast } from '@/components/ui/toast'
import { useAnswer } from '../api/mutations'
import { messages } from '../messages'
import type { BusinessBooking, Deed } from '../model/business-booking'
import { refusalText } from '../model/refusal'

type Asked = { booking: BusinessBooking } & ({ deed: 'decline' | 'cancel' } | { deed: 'move' })

/** What a business does with bookings: at once, or after a question. */
export function useDeeds() {
  const answer = useAnswer()
  const [asked, setAsked] = useState<Asked | null>(null)

  const send = (booking: BusinessBooking, deed: Exclude<Deed, 'move'>, reason = '') => {
    setAsked(null)
    answer.mutate(
      { id: booking.id, deed, reason },
      {
        onSuccess: () =>
          showToast({
            title: messages.done[deed],
            tone: 'success',
            ...(!booking.isWalkIn && { text: messages.doneText }),
          }),
        onError: (error) =>
          showToast({ title: messages.failed, text: refusalText(error), tone: 'danger' }),
      },
    )
  }
  const onDeed = (booking: BusinessBooking, deed: Deed) => {
    if (deed === 'move') setAsked({ booking, deed })
    else if (deed === 'decline' || deed === 'cancel') setAsked({ booking, deed })
    else send(booking, deed)
  }
  const busy = answer.isPending ? `${answer.variables.id} ${answer.variables.deed}` : null
  return { asked, close: () => setAsked(null), send, onDeed, busy }
}

export type Deeds = ReturnType<typeof useDeeds>
