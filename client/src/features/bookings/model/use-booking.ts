import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { showToast } from '@/components/ui/toast'
import { useConnection } from '@/lib/connection'
import { toAppError } from '@/lib/errors'
import { wallClock, type Zone } from '@/lib/time'
import { loadSending, useCreateBooking } from '../api/create-booking'
import type { CreatedBooking } from '../api/send-booking'
import { slotsQuery } from '../api/slot-queries'
import { messages } from '../panel-messages'
import type { Failure } from './failure'
import { refusalOf, type Selection } from './selection'
import { storedNotes, storeNotes } from './stored-notes'

type BookableService = { id: string; name: string; price: number; duration: number }
type BookableBusiness = { id: string; name: string; zone: Zone; place: string }

type BookingInput = {
  business: BookableBusiness
  services: readonly BookableService[]
  selection: Selection
  onSelect: (change: Partial<Selection>) => void
  /** Null if nobody is signed in. */
  userId: string | null
}

const nothing: Selection = { service: null, date: null, time: null }

/** A booking in progress: the selection in the URL, the notes, and the result. */
export function useBooking({ business, services, selection, onSelect, userId }: BookingInput) {
  const [notes, setNotes] = useState(() => storedNotes(business.id))
  const [failure, setFailure] = useState<Failure | null>(null)
  const [lostTime, setLostTime] = useState<string | null>(null)
  const [done, setDone] = useState<CreatedBooking | null>(null)
  const create = useCreateBooking()
  const service = services.find((one) => one.id === selection.service) ?? null
  const slots = useQuery({
    ...slotsQuery(business.id, service?.id ?? '', selection.date ?? ''),
    enabled: service !== null && selection.date !== null,
    // The form that reads this query's state may render after it changed.
    notifyOnChangeProps: 'all',
  })
  const today = wallClock(new Date(), business.zone).date
  // A time from an old URL may be taken by now; then it is not selected.
  const isGone = slots.data?.every((slot) => slot.start !== selection.time || slot.reason !== null)
  const time = isGone ? null : selection.time
  const isComplete = service !== null && selection.date !== null && time !== null

  const refuse = (refused: Failure) => {
    setFailure(refused)
    showToast({ title: refused.title, text: refused.text, tone: 'danger' })
  }
  const finish = (booking: CreatedBooking) => {
    setFailure(null)
    setDone(booking)
    setNotes('')
    storeNotes(business.id, '')
    onSelect(nothing)
    showToast({ title: messages.success, text: messages.successText, tone: 'success' })
  }
  useUnanswered(failure?.isUnknown === true, business.id, finish, refuse)
  const submit = () => {
    const serviceIds = services.map((one) => one.id)
    const isSignedIn = userId !== null
    const refusal = refusalOf({ ...selection, time }, { serviceIds, isSignedIn, today })
    if (refusal) return refuse(refusal)
    if (!service || selection.date === null || time === null || userId === null) return
    setFailure(null)
    create.mutate(
      {
        businessId: business.id,
        userId,
        serviceId: service.id,
        date: selection.date,
        start: time,
        notes,
      },
      {
        onSuccess: finish,
        onError: (error) => {
          void loadSending().then(({ failureOf }) => refuse(failureOf(error)))
          setLostTime(time)
          if (toAppError(error).code === '23P01') onSelect({ time: null })
        },
      },
    )
  }
  const select = (change: Partial<Selection>) => {
    setFailure(null)
    setLostTime(null)
    setDone(null)
    onSelect(change)
  }
  return {
    business,
    services,
    service,
    date: selection.date,
    time,
    /** The selected time, also if it is not free. */
    selectedTime: selection.time,
    today,
    slots,
    notes,
    setNotes,
    isComplete,
    isPending: create.isPending,
    failure,
    /** The requested time if the booking failed, or the selected one if somebody took it. */
    lostTime,
    done,
    select,
    /** Deselects the time, which somebody else has taken. */
    loseTime: () => {
      setLostTime(selection.time)
      onSelect({ time: null })
    },
    submit,
    restart: () => setDone(null),
  }
}

/** When the server is reachable again, looks up the result of a request whose response was lost. */
function useUnanswered(
  isUnknown: boolean,
  businessId: string,
  onBooked: (booking: CreatedBooking) => void,
  onNothing: (failure: Failure) => void,
): void {
  const isWanted = useConnection() === 'fine' && isUnknown
  const look = useEffectEvent(async () => {
    const { findUnanswered, notBooked } = await loadSending()
    const found = await findUnanswered(businessId)
    if (found) onBooked(found)
    else onNothing(notBooked)
  })
  useEffect(() => {
    // Unreachable again: retried next time.
    if (isWanted) void look().catch(() => undefined)
  }, [isWanted])
}

export type BookingFlow = ReturnType<typeof useBooking>
