import { service } from './accounts'
import { newPerson, type Person, todayIn } from './fixtures'
import { type Shop, shopOf } from './owners'

export type BookableShop = Shop & { serviceId: string }

const zone = 'Europe/Madrid'

/** A business of a person that is always open, with a service of an hour. */
export async function bookableShopOf(owner: Person, name?: string): Promise<BookableShop> {
  const shop = await shopOf(owner, name)
  const open = { open: '00:00', close: '00:00', isOpen: true }
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
  const { error } = await service()
    .from('businesses')
    .update({
      time_zone: zone,
      hours: { structured: Object.fromEntries(days.map((d) => [d, open])) },
    })
    .eq('id', shop.id)
  if (error) throw error
  const { data, error: refused } = await service()
    .from('services')
    .insert({ business_id: shop.id, name: 'Haircut', price: 20, duration: 60 })
    .select('id')
    .single()
  if (refused) throw refused
  return { ...shop, serviceId: data.id }
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
