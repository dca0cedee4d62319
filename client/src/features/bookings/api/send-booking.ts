import { AppError, toAppError, unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import { clearSent, recordSent, sentBefore, unansweredId } from '../model/sent-booking'

export type NewBooking = {
  businessId: string
  userId: string
  serviceId: string
  date: string
  start: string
  notes: string
}

const columns =
  'id, booking_date, start_time, end_time, status, service_name, service_duration, service_price'

const insert = async (id: string, booking: NewBooking) =>
  unwrap(
    await db
      .from('bookings')
      .insert({
        id,
        business_id: booking.businessId,
        user_id: booking.userId,
        service_id: booking.serviceId,
        booking_date: booking.date,
        start_time: booking.start,
        notes: booking.notes.trim() === '' ? null : booking.notes.trim(),
        status: 'pending',
      })
      .select(columns)
      .single(),
  )

export type CreatedBooking = Awaited<ReturnType<typeof insert>>

async function findSent(id: string): Promise<CreatedBooking | null> {
  const found = unwrap(await db.from('bookings').select(columns).eq('id', id).maybeSingle())
  clearSent()
  return found
}

/**
 * Looks up the result of a booking request at a business that got no response; null if nothing was
 * booked.
 */
export async function findUnanswered(businessId: string): Promise<CreatedBooking | null> {
  const id = unansweredId(businessId)
  return id === null ? null : findSent(id)
}

/**
 * Creates a booking (BOOK-15). The database sets its end, from the service's duration, and its
 * status, pending. The request is sent once. If its response is lost, the booking is looked up, so
 * the same booking is never made twice. Errors: 23P01 if the slot was taken; 42501 if nobody is
 * signed in; booking_unknown if there was no response and the lookup failed.
 */
export async function book(booking: NewBooking): Promise<CreatedBooking> {
  const before = sentBefore(booking)
  const isOffline = !navigator.onLine
  // An earlier request for a different booking got no response: look it up first, or both might be
  // booked.
  if (before && !before.isSame) {
    const found = await findSent(before.id).catch(throwUnknown)
    if (found) return found
  }
  const id = before?.isSame ? before.id : crypto.randomUUID()
  recordSent(id, booking)
  try {
    const made = await insert(id, booking)
    clearSent()
    return made
  } catch (thrown) {
    const error = toAppError(thrown)
    const isAgain = before?.isSame === true
    if (!isAgain && error.code === 'offline' && isOffline) {
      clearSent()
      throw error
    }
    // The booking may exist although there was no response; if a repeated request is refused, it
    // exists.
    const mayBeBooked = isAgain || error.kind === 'network' || error.status >= 500
    const found = mayBeBooked ? await findSent(id).catch(throwUnknown) : null
    clearSent()
    if (found) return found
    throw error
  }
}

function throwUnknown(cause: unknown): never {
  throw new AppError('booking_unknown', 'no answer, and no way to look', { cause })
}
