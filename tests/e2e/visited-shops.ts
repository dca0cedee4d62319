import { service } from './accounts'
import { type Person, todayIn } from './fixtures'
import { type Shop, shopOf } from './owners'

const zone = 'Europe/Andorra'

/** A business with services, for which a test records bookings. */
export type VisitedShop = Shop & { services: Record<string, string> }

/** A business of a person with a service for each name and price. */
export async function visitedShopOf(
  person: Person,
  prices: Record<string, number>,
): Promise<VisitedShop> {
  const shop = await shopOf(person)
  const rows = Object.entries(prices).map(([name, price]) => ({
    business_id: shop.id,
    name,
    price,
    duration: 30,
  }))
  const { data, error } = await service().from('services').insert(rows).select('id, name')
  if (error) throw error
  return { ...shop, services: Object.fromEntries(data.map(({ id, name }) => [name, id])) }
}

export type Visit = {
  service: string
  date: string
  start: string
  /** Pending only for one that has not begun: the server expires the others within a minute (BOOK-18). */
  status: 'pending' | 'confirmed' | 'completed' | 'cancelled'
  notes?: string
}

/** Records bookings of a business at any time, including the past. */
export async function recordVisits(shop: VisitedShop, visits: readonly Visit[]): Promise<void> {
  const rows = visits.map(({ service: name, date, start, status, notes }) => ({
    business_id: shop.id,
    service_id: shop.services[name],
    booking_date: date,
    start_time: start,
    status,
    notes: notes ?? null,
    // Entered by the business itself: such bookings may be in the past.
    user_id: null,
    source: 'business',
    customer_name: 'Walk-in',
  }))
  for (let from = 0; from < rows.length; from += 500) {
    const { error } = await service()
      .from('bookings')
      .insert(rows.slice(from, from + 500))
    if (error) throw error
  }
}

/** The calendar day some days from today, in the business's time zone. */
export function shopDay(days: number): string {
  const at = new Date(`${todayIn(zone)}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() + days)
  return at.toISOString().slice(0, 10)
}
