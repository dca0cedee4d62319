import { service } from './accounts'
import { newPerson, type Person, todayIn } from './fixtures'
import { type Shop, shopOf } from './owners'

export type BookableShop = Shop & { serviceId: string }

const zone = 'Europe/Madrid'

/** A business of somebody's that is open at all times, with a service of an hour. */
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

/** The calendar day some days from today, where the shops are. */
export function dayAhead(days: number): string {
  const at = new Date(`${todayIn(zone)}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() + days)
  return at.toISOString().slice(0, 10)
}

/** A day in the words of the screens: 'Wed 25 Nov'. */
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

/** A new customer asks for a time at a shop. */
export async function ask(
  shop: BookableShop,
  name: string,
  days: number,
  time: string,
): Promise<Asked> {
  return askAs(shop, await newPerson(name), days, time)
}

/** A customer asks for a time at a shop. */
export async function askAs(
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

/** A booking's stored state. */
export async function stored(id: string) {
  const { data, error } = await service()
    .from('bookings')
    .select('status, cancel_kind, cancel_reason, booking_date, start_time, proposed_by')
    .eq('id', id)
    .single()
  if (error) throw error
  return data
}

/** Lets a booking lie in the past, as a stored one does after some days. */
export async function letPass(id: string, change: { status: string }): Promise<void> {
  const { error } = await service()
    .from('bookings')
    .update({ booking_date: dayAhead(-2), ...change })
    .eq('id', id)
  if (error) throw error
}
