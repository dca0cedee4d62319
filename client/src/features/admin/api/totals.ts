import { queryOptions } from '@tanstack/react-query'
import { unwrapCounted } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { adminKeys } from './keys'

const counted = { count: 'exact' } as const

/** The numbers of users, businesses and bookings (DASH-09). */
export const totalsQuery = queryOptions({
  queryKey: adminKeys.totals,
  queryFn: async ({ signal }) => {
    const [users, businesses, bookings] = await Promise.all([
      db.from('profiles').select('id', counted).limit(1).abortSignal(signal),
      db.from('businesses').select('id', counted).limit(1).abortSignal(signal),
      db.from('bookings').select('id', counted).limit(1).abortSignal(signal),
    ])
    return {
      users: unwrapCounted(users).total,
      businesses: unwrapCounted(businesses).total,
      bookings: unwrapCounted(bookings).total,
    }
  },
  staleTime: 0,
})
