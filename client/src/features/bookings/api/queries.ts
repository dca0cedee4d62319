import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { unwrap, unwrapCounted } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { marketDays, zoneFrom } from '@/lib/time'
import { type Booking, isUpcoming } from '../model/booking'
import type { BookingView } from '../model/view'
import { bookingsKeys } from './keys'

/** Number of bookings per request. */
const bookingPageSize = 20

/** How long the list stays fresh: a business may confirm at any moment. */
const bookingsFreshMs = 30_000

const columns =
  'id, business_id, business_name, service_id, service_name, service_duration, service_price, booking_date, start_time, end_time, time_zone, status, notes, cancel_kind, cancel_reason, proposed_date, proposed_start, proposed_by, business:businesses(slug, location, address)'

async function readRows(userId: string, view: BookingView, from: number, signal: AbortSignal) {
  // All bookings that may belong to this view in any time zone; they are filtered below by their
  // own zone.
  const days = marketDays(new Date())
  const own = db.from('bookings').select(columns).eq('user_id', userId)
  const ahead = view === 'upcoming'
  const half = ahead
    ? own.gte('booking_date', days.first).in('status', ['pending', 'confirmed'])
    : own.or(`booking_date.lte.${days.last},status.in.(cancelled,completed)`)
  return unwrap(
    await half
      .order('booking_date', { ascending: ahead })
      .order('start_time', { ascending: ahead })
      .order('id')
      .range(from, from + bookingPageSize - 1)
      .abortSignal(signal),
  )
}

type Row = Awaited<ReturnType<typeof readRows>>[number]

function toBooking(row: Row): Booking {
  const { proposed_date: date, proposed_start: start } = row
  return {
    id: row.id,
    businessName: row.business_name,
    businessKey: row.business ? row.business_id : null,
    place: row.business?.address ?? row.business?.location ?? '',
    serviceId: row.service_id,
    serviceName: row.service_name,
    duration: row.service_duration,
    price: row.service_price,
    date: row.booking_date,
    start: row.start_time.slice(0, 5),
    end: row.end_time.slice(0, 5),
    zone: zoneFrom(row.time_zone),
    status: row.status,
    notes: row.notes,
    cancelKind: row.cancel_kind,
    cancelReason: row.cancel_reason,
    proposal:
      date === null || start === null
        ? null
        : { date, start: start.slice(0, 5), isOwn: row.proposed_by === 'customer' },
  }
}

/** A user's upcoming bookings, the next first, or past ones, the latest first (BOOK-19). */
export const bookingsQuery = (userId: string, view: BookingView) =>
  infiniteQueryOptions({
    queryKey: bookingsKeys.list(userId, view),
    queryFn: async ({ signal, pageParam }) => {
      const rows = await readRows(userId, view, pageParam, signal)
      const now = new Date()
      return {
        items: rows.map(toBooking).filter((b) => isUpcoming(b, now) === (view === 'upcoming')),
        next: rows.length < bookingPageSize ? null : pageParam + bookingPageSize,
      }
    },
    initialPageParam: 0,
    getNextPageParam: (page) => page.next,
    staleTime: bookingsFreshMs,
    refetchOnWindowFocus: true,
  })

/** The total number of a user's bookings (DASH-02). */
export const bookingCountQuery = (userId: string) =>
  queryOptions({
    queryKey: bookingsKeys.count(userId),
    queryFn: async ({ signal }) =>
      unwrapCounted(
        await db
          .from('bookings')
          .select('id', { count: 'exact' })
          .eq('user_id', userId)
          .limit(1)
          .abortSignal(signal),
      ).total,
    staleTime: bookingsFreshMs,
  })
