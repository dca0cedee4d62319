import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { toSlot } from '../model/slots'
import { bookingsKeys } from './keys'

/** How long the slots of a day stay fresh; the database decides in any case. */
const slotsFreshMs = 30_000

/**
 * The 18 slots of a day for a service, each free or with the reason why not (BOOK-07 to BOOK-10).
 */
export const slotsQuery = (businessId: string, serviceId: string, date: string) =>
  queryOptions({
    queryKey: bookingsKeys.slots(businessId, serviceId, date),
    queryFn: async ({ signal }) => {
      const slots = unwrap(
        await db
          .rpc(
            'booking_slots',
            { p_business_id: businessId, p_service_id: serviceId, p_date: date },
            { get: true },
          )
          .abortSignal(signal),
      )
      return slots.map(toSlot)
    },
    staleTime: slotsFreshMs,
  })

/** The first free slot for a service; null if there is none in the coming weeks. */
export const nextFreeQuery = (businessId: string, serviceId: string) =>
  queryOptions({
    queryKey: bookingsKeys.nextFree(businessId, serviceId),
    queryFn: async ({ signal }) => {
      const [slot] = unwrap(
        await db
          .rpc(
            'next_free_slot',
            { p_business_id: businessId, p_service_id: serviceId },
            { get: true },
          )
          .abortSignal(signal),
      )
      return slot ? { date: slot.booking_date, time: slot.start_time.slice(0, 5) } : null
    },
    staleTime: slotsFreshMs,
  })
