import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { serviceKeys } from './keys'

export const serviceColumns = 'id, name, description, price, duration, updated_at'

/** The services of a business by name (OWNER-19). */
export const servicesQuery = (businessId: string) =>
  queryOptions({
    queryKey: serviceKeys.list(businessId),
    queryFn: async ({ signal }) =>
      unwrap(
        await db
          .from('services')
          .select(serviceColumns)
          .eq('business_id', businessId)
          .order('name')
          .order('id')
          .abortSignal(signal),
      ),
    staleTime: 0,
  })

export type Service = Awaited<
  ReturnType<NonNullable<ReturnType<typeof servicesQuery>['queryFn']>>
>[number]
