import { newEmail, service } from './accounts'
import { newWord } from './admins'
import { api, newPerson, type Person, todayIn } from './fixtures'
import { type Shop, shopOf } from './owners'

export type BookableShop = Shop & { slug: string; timeZone: string; serviceId: string; serviceName: string }

const zone = 'Europe/Madrid'
const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** A business of a person that is always open, or as long each day, with a service of an hour. */
export async function bookableShopOf(
  owner: { id: string },
  name?: string,
  day = { open: '00:00', close: '00:00' },
): Promise<BookableShop> {
  const shop = await shopOf(owner, name)
  const { data: business, error } = await service()
    .from('businesses')
    .update({
      time_zone: zone,
      hours: { structured: Object.fromEntries(days.map((name) => [name, { ...day, isOpen: true }])) },
    })
    .eq('id', shop.id)
    .select('slug')
    .single()
  if (error) throw error
  const serviceName = 'Haircut'
  const { data, error: refused } = await service()
    .from('services')
    .insert({ business_id: shop.id, name: serviceName, price: 20, duration: 60 })
    .select('id')
    .single()
  if (refused) throw refused
  return { ...shop, slug: business.slug, timeZone: zone, serviceId: data.id, serviceName }
}

/**
 * A new salon that is open from 10:00 to 20:00, so that no other test takes its slots. Its name has a word of its own, by
 * which a search finds it.
 */
export async function bookable(): Promise<BookableShop> {
  const { data, error } = await service().auth.admin.createUser({ email: newEmail('salon'), email_confirm: true })
  if (error) throw error
  return bookableShopOf(data.user, `Perruqueria ${newWord()}`, { open: '10:00', close: '20:00' })
}

export type FreeSlot = { date: string; time: string; label: string }

/** A free slot of a business some days ahead, from the database. */
export async function freeSlot(business: BookableShop, daysAhead: number): Promise<FreeSlot> {
  const at = new Date(todayIn(business.timeZone))
  at.setUTCDate(at.getUTCDate() + daysAhead)
  for (let day = 0; day < 14; day++, at.setUTCDate(at.getUTCDate() + 1)) {
    const date = at.toISOString().slice(0, 10)
    const { data } = await api().rpc('booking_slots', {
      p_business_id: business.id,
      p_service_id: business.serviceId,
      p_date: date,
    })
    const slot = data?.find((one: { available: boolean }) => one.available)
    if (slot) {
      const label = new Intl.DateTimeFormat('en-GB', {
        weekday: 'short',
        day: 'numeric',
        timeZone: 'UTC',
      })
        .format(at)
        .replaceAll(',', '')
      return { date, time: slot.start_time.slice(0, 5), label }
    }
  }
  throw new Error('no free slot in two weeks')
}

/**
 * Blocks bookings of a business for today, so that its next free slot is on another day: a slot of
 * today may be past before a test has booked it.
 */
export async function closeToday({ id, timeZone }: Pick<BookableShop, 'id' | 'timeZone'>): Promise<void> {
  const { error } = await service()
    .from('blackout_dates')
    .upsert(
      { business_id: id, blackout_date: todayIn(timeZone) },
      { onConflict: 'business_id,blackout_date', ignoreDuplicates: true },
    )
  if (error) throw error
}

/** The calendar day some days from today, in the shops' time zone. */
export function dayAhead(days: number): string {
  const at = new Date(`${todayIn(zone)}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() + days)
  return at.toISOString().slice(0, 10)
}

/** Formats a day as the screens do: 'Wed 25 Nov'. */
export function dayWords(date: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  })
    .format(new Date(`${date}T00:00:00Z`))
    .replaceAll(',', '')
}

export type Asked = { id: string; customer: Person; date: string; time: string }

/** A new customer requests a time at a shop. */
export async function ask(
  shop: BookableShop,
  name: string,
  days: number,
  time: string,
): Promise<Asked> {
  return requestBookingAs(shop, await newPerson(name), days, time)
}

/** A customer requests a time at a shop. */
export async function requestBookingAs(
  shop: BookableShop,
  customer: Person,
  days: number,
  time: string,
): Promise<Asked> {
  const date = dayAhead(days)
  const { data, error } = await customer.client
    .from('bookings')
    .insert({
      business_id: shop.id,
      user_id: customer.id,
      service_id: shop.serviceId,
      booking_date: date,
      start_time: time,
      notes: `From ${customer.email}`,
    })
    .select('id')
    .single()
  if (error) throw error
  return { id: data.id, customer, date, time }
}

/** A customer requests a free time at a new salon. */
export async function bookNewSalon(customer: Person, days: number): Promise<Asked & { business: BookableShop }> {
  const business = await bookable()
  const { time } = await freeSlot(business, days)
  return { business, ...(await requestBookingAs(business, customer, days, time)) }
}

/** The stored state of a booking. */
export async function stored(id: string) {
  const { data, error } = await service()
    .from('bookings')
    .select('status, cancel_kind, cancel_reason, booking_date, start_time, proposed_by')
    .eq('id', id)
    .single()
  if (error) throw error
  return data
}

/** Moves a booking into the past, as if some days had gone by. */
export async function moveToPast(id: string, change: { status: string }): Promise<void> {
  const { error } = await service()
    .from('bookings')
    .update({ booking_date: dayAhead(-2), ...change })
    .eq('id', id)
  if (error) throw error
}
