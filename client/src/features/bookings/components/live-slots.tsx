import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useLive } from '@/lib/live'
import { bookingsKeys } from '../api/keys'
import type { BookingFlow } from '../model/use-booking'

/**
 * Keeps the slots of the business up to date, and notices when somebody else takes the selected
 * one. Loaded when a day is selected.
 */
export function LiveSlots({ booking }: { booking: BookingFlow }) {
  const client = useQueryClient()
  const { id } = booking.business
  const refetch = () => client.invalidateQueries({ queryKey: bookingsKeys.slotsOf(id) })
  useLive(`slots:${id}`, [{ event: 'slots', refetch }])
  useTimeTaken(booking)
  return null
}

function useTimeTaken({
  service,
  date,
  selectedTime,
  slots,
  isPending,
  done,
  loseTime,
}: BookingFlow): void {
  const seenFree = useRef('')
  const lose = useEffectEvent(loseTime)
  const selected = `${service?.id} ${date} ${selectedTime}`
  const slot = slots.data?.find(({ start }) => start === selectedTime)
  const state = slot && (slot.reason ?? 'free')
  // The user's own booking takes it, too.
  const isOwn = isPending || done !== null
  useEffect(() => {
    if (isOwn) seenFree.current = ''
    else if (state === 'free') seenFree.current = selected
    else if (state === 'taken' && seenFree.current === selected) {
      seenFree.current = ''
      lose()
    }
  }, [selected, state, isOwn])
}
