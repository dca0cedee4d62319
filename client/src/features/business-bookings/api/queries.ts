import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { readPage } from '@/lib/paged'
import { db } from '@/lib/supabase'
import { zoneFrom } from '@/lib/time'
import { messages } from '../messages'
import type { BusinessBooking } from '../model/business-booking'
import type { CalendarRange } from '../model/calendar'
import { type InboxAddress, inboxPageSize } from '../model/inbox'
import { businessBookingKeys } from './keys'

const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const columns =
  'id, user_id, service_name, service_duration, service_price, booking_date, start_time, end_time, time_zone, status, cancel_kind, cancel_reason, notes, source, customer_name, customer_phone, proposed_date, proposed_start, proposed_by, customer:profiles(full_name), note:booking_notes(note)'

// Refetched when a booking changes (components/bookings-screen.tsx).
const live = { staleTime: 15_000, refetchOnWindowFocus: true } as const

/** The business whose bookings are shown; null if it does not exist. */
export const bookedBusinessQuery = (id: string) =>
  queryOptions({
    queryKey: businessBookingKeys.frame(id),
    queryFn: async ({ signal }) =>
      isId.test(id)
        ? unwrap(
            await db
              .from('businesses')
              .select('id, name, owner_id, time_zone, services(id, name, price, duration)')
              .eq('id', id)
              .order('name', { referencedTable: 'services' })
              .abortSignal(signal)
              .maybeSingle(),
          )
        : null,
    staleTime: 0,
  })

export type BookedBusiness = NonNullable<
  Awaited<ReturnType<NonNullable<ReturnType<typeof bookedBusinessQuery>['queryFn']>>>
>

function rowsOf(businessId: string) {
  return db.from('bookings').select(columns, { count: 'exact' }).eq('business_id', businessId)
}

type Row = NonNullable<Awaited<ReturnType<typeof rowsOf>>['data']>[number]

function toBusinessBooking(row: Row): BusinessBooking {
  const { proposed_date: date, proposed_start: start } = row
  return {
    id: row.id,
    customer: row.customer_name ?? row.customer?.full_name ?? messages.formerCustomer,
    phone: row.customer_phone,
    isWalkIn: row.source === 'business',
    serviceName: row.service_name,
    duration: row.service_duration,
    price: row.service_price,
    date: row.booking_date,
    start: row.start_time.slice(0, 5),
    end: row.end_time.slice(0, 5),
    zone: zoneFrom(row.time_zone),
    status: row.status,
    cancelKind: row.cancel_kind,
    cancelReason: row.cancel_reason,
    notes: row.notes,
    privateNote: row.note?.note ?? null,
    proposal:
      date === null || start === null
        ? null
        : { date, start: start.slice(0, 5), isOwn: row.proposed_by === 'business' },
  }
}

/**
 * One page of a business's bookings: pending ones first, by start; finished ones with the latest
 * first.
 */
export const inboxQuery = (businessId: string, address: InboxAddress) =>
  queryOptions({
    queryKey: businessBookingKeys.inbox(businessId, address),
    queryFn: async ({ signal }) => {
      const { filter, page } = address
      const isOver = filter === 'completed' || filter === 'cancelled'
      const { rows, total } = await readPage(page, inboxPageSize, (from, to) => {
        const all = rowsOf(businessId)
        const some =
          filter === 'open' ? all.in('status', ['pending', 'confirmed']) : all.eq('status', filter)
        return some
          .order('status', { ascending: false })
          .order('booking_date', { ascending: !isOver })
          .order('start_time', { ascending: !isOver })
          .order('id')
          .range(from, to)
          .abortSignal(signal)
      })
      return { rows: rows.map(toBusinessBooking), total }
    },
    placeholderData: keepPreviousData,
    ...live,
  })

/** A booking by its id, as used by notifications and the calendar; null if it does not exist. */
export const businessBookingQuery = (businessId: string, bookingId: string) =>
  queryOptions({
    queryKey: businessBookingKeys.detail(businessId, bookingId),
    queryFn: async ({ signal }) => {
      if (!isId.test(bookingId)) return null
      const row = unwrap(
        await rowsOf(businessId).eq('id', bookingId).abortSignal(signal).maybeSingle(),
      )
      return row === null ? null : toBusinessBooking(row)
    },
    staleTime: 0,
  })

/** Maximum number of bookings in a calendar; a month of a busy business has some hundred. */
const calendarMost = 1000

/** All bookings of some days that were not cancelled. */
export const calendarQuery = (businessId: string, range: CalendarRange) =>
  queryOptions({
    queryKey: businessBookingKeys.range(businessId, range),
    queryFn: async ({ signal }) => {
      const rows = unwrap(
        await rowsOf(businessId)
          .gte('booking_date', range.first)
          .lte('booking_date', range.last)
          .neq('status', 'cancelled')
          .order('booking_date')
          .order('start_time')
          .limit(calendarMost)
          .abortSignal(signal),
      )
      return rows.map(toBusinessBooking)
    },
    placeholderData: keepPreviousData,
    ...live,
  })
