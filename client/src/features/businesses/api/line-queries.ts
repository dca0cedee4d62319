import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { resultCache } from '@/lib/query-client'
import { db } from '@/lib/supabase'
import { resultKeys } from './result-keys'

/** The next time that can be booked at each of some businesses, by their ids. */
export const nextSlotsQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: resultKeys.nextSlots(ids),
    queryFn: async ({ signal }) => {
      const slots = unwrap(
        await db
          .rpc('next_free_slots', { p_business_ids: [...ids] }, { get: true })
          .abortSignal(signal),
      )
      return new Map(slots.map((slot) => [slot.business_id, slot]))
    },
    enabled: ids.length > 0,
    ...resultCache,
  })

/** Of each of some businesses the service that a text means, by their ids. */
export const matchesQuery = (ids: readonly string[], findDesc: string) =>
  queryOptions({
    queryKey: resultKeys.matches(ids, findDesc),
    queryFn: async ({ signal }) => {
      const services = unwrap(
        await db
          .rpc(
            'matching_services',
            { p_business_ids: [...ids], find_desc: findDesc },
            { get: true },
          )
          .abortSignal(signal),
      )
      return new Map(services.map((service) => [service.business_id, service]))
    },
    enabled: ids.length > 0 && findDesc !== '',
    ...resultCache,
  })
