// Concurrent requests of one account, with unmodified supabase-js: the limits hold, each refusal
// has a stable code, and nothing returns a 500.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newUser, service } from './users.mjs'

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const always = Object.fromEntries(weekdays.map((day) => [day, { open: '00:00', close: '00:00', isOpen: true }]))

let buyer, seller, shop, visit
before(async () => {
  ;[buyer, seller] = [await newUser(), await newUser()]
  const server = service()
  await server.from('profiles').update({ role: 'owner' }).eq('id', seller.id)
  const business = { name: 'Taller Límits', type: 'Car Repair', location: 'Encamp, Andorra', hours: { structured: always } }
  shop = (await seller.supabase.from('businesses').insert(business).select().single()).data
  visit = (await seller.supabase.from('services').insert({ business_id: shop.id, name: 'Visit', price: 10, duration: 30 }).select().single()).data
})
after(() => service().from('businesses').delete().eq('id', shop.id))

/** Counts the codes; null for successes. */
function codes(answers) {
  const count = {}
  for (const { error } of answers) {
    const code = error ? (error.details ?? error.message) : 'ok'
    count[code] = (count[code] ?? 0) + 1
  }
  return count
}

const day = (ahead) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
const booking = (who, ahead) => ({
  business_id: shop.id, user_id: who.id, service_id: visit.id, booking_date: day(ahead), start_time: '12:00', end_time: '12:30',
})

describe('limits hold for requests at the same time', () => {
  test('open bookings at a business', async () => {
    const answers = await Promise.all(Array.from({ length: 16 }, (_, n) => buyer.supabase.from('bookings').insert(booking(buyer, 10 + n))))
    assert.deepEqual(codes(answers), { ok: 5, too_many_open_bookings: 11 })
    assert.ok(answers.every(({ status }) => status === 201 || status === 429))
  })

  test('a day beyond the booking horizon', async () => {
    const { error, status } = await buyer.supabase.from('bookings').insert(booking(buyer, 365 * 900))
    assert.deepEqual([status, error.details], [422, 'booking_too_far_ahead'])
  })

  test('photo files that no photo shows', async () => {
    const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        seller.supabase.storage.from('business-photos').upload(`${seller.id}/${shop.id}/${n}.png`, picture, { contentType: 'image/png' }),
      ),
    )
    assert.equal(codes(answers).ok, 20)
  })
})

test('a claim document asks for an open claim of one’s own', async () => {
  const { data: unclaimed } = await service().from('businesses').insert({ name: 'Sense Amo', type: 'Bar', location: 'Madrid' }).select().single()
  const { data: claim } = await buyer.supabase.from('claim_requests').insert({
    user_id: buyer.id, business_id: unclaimed.id, full_name: 'Ana', business_email: 'ana@example.com', role_at_company: 'Owner',
    verification_method: 'document_upload',
  }).select().single()
  const documents = buyer.supabase.storage.from('claim-documents')
  const upload = (path) => documents.upload(path, Buffer.from('%PDF-1.4'), { contentType: 'application/pdf' })
  assert.equal((await upload(`${buyer.id}/${claim.id}/deed.pdf`)).error, null)
  assert.notEqual((await upload(`${buyer.id}/deed.pdf`)).error, null)
  const more = await Promise.all(Array.from({ length: 8 }, (_, n) => upload(`${buyer.id}/${claim.id}/${n}.pdf`)))
  assert.equal(codes(more).ok, 4)
  await service().from('businesses').delete().eq('id', unclaimed.id)
  assert.notEqual((await upload(`${buyer.id}/${claim.id}/late.pdf`)).error, null)
})
