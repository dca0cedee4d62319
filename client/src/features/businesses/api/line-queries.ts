import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { resultCache } from '@/lib/query-client'
import { db } from '@/lib/supabase'
import { resultKeys } from './result-keys'

/** The next free slot of several businesses, by id. */
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

/** The service that matches a text, for several businesses, by id. */
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
