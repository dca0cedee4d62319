import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Badge } from '@/components/ui/badge'
import { bookingCountQuery } from '@/features/bookings/api/queries'
import { favoriteCountQuery } from '@/features/favorites/api/list-queries'

/** The count badges of the dashboard's tabs (DASH-02). */
export function useDashboardCounts(userId: string): Record<'bookings' | 'favorites', ReactNode> {
  const enabled = userId !== ''
  const bookings = useQuery({ ...bookingCountQuery(userId), enabled })
  const favorites = useQuery({ ...favoriteCountQuery(userId), enabled })
  return { bookings: <Count query={bookings} />, favorites: <Count query={favorites} /> }
}

/** A count; it reserves its place while it loads, and is zero if it cannot be loaded (ERR-45). */
function Count({ query }: { query: UseQueryResult<number> }) {
  const text = query.isPending ? '\u00a0' : String(query.data ?? 0)
  return <Badge className="nums min-w-6 justify-center lg:ms-auto">{text}</Badge>
}
