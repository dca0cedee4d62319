import type { DateRange } from '@/lib/date-range'
import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import type { BookingRow } from '../model/sheet'

/** Maximum number of bookings per file; more would block a browser for too long. */
export const maxExported = 50_000

const pageSize = 1000

/**
 * Reads all bookings of a date range in order, page by page. Each page starts after the last row of
 * the previous one, so that new bookings do not shift rows. Returns 'too-many' if there are more
 * than a file may contain.
 */
export async function readBookings(
  businessId: string,
  range: DateRange,
): Promise<BookingRow[] | 'too-many'> {
  const rows: BookingRow[] = []
  for (;;) {
    const page = await readPageAfter(businessId, range, rows.at(-1))
    rows.push(...page)
    if (rows.length > maxExported) return 'too-many'
    if (page.length < pageSize) return rows
  }
}

async function readPageAfter(
  businessId: string,
  { first, last }: DateRange,
  after: BookingRow | undefined,
): Promise<BookingRow[]> {
  const all = db
    .from('bookings')
    .select('id, booking_date, start_time, end_time, service_name, service_price, status, notes')
    .eq('business_id', businessId)
    .gte('booking_date', after?.booking_date ?? first)
    .lte('booking_date', last)
  return unwrap(
    await (after ? all.or(isAfter(after)) : all)
      .order('booking_date')
      .order('start_time')
      .order('id')
      .limit(pageSize),
  )
}

function isAfter({ booking_date: date, start_time: time, id }: BookingRow): string {
  return `booking_date.gt.${date},and(booking_date.eq.${date},start_time.gt."${time}"),and(booking_date.eq.${date},start_time.eq."${time}",id.gt.${id})`
}
