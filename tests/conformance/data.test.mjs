// Unmodified supabase-js in plain Node against a running server: what a developer's first script
// does. SUPABASE_URL and SUPABASE_ANON_KEY select the server.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { createClient } from '@supabase/supabase-js'
import { client, freeSlot, newUser } from './users.mjs'

let ana
let ben
before(async () => {
  ana = await newUser()
  ben = await newUser()
})

test('API-21, SEARCH-11: select with an embed and an exact count', async () => {
  const { data, count, error } = await client()
    .from('businesses')
    .select('id, name, services(name, price)', { count: 'exact' })
    .order('name')
    .range(0, 11)
  assert.equal(error, null)
  assert.equal(data.length, 12)
  assert.ok(count > 12, `count ${count}`)
  assert.ok(data.some((business) => business.services.length > 0))
})

test('head: true counts without rows', async () => {
  const { count, data, error } = await client().from('businesses').select('*', { count: 'exact', head: true })
  assert.equal(error, null)
  assert.equal(data, null)
  assert.ok(count > 100)
})

test('API-10: single() on no row is PGRST116, maybeSingle() is null', async () => {
  const missing = await ana.supabase.from('profiles').select('id').eq('id', randomUUID()).single()
  assert.equal(missing.error.code, 'PGRST116')
  const maybe = await ana.supabase.from('profiles').select('id').eq('id', randomUUID()).maybeSingle()
  assert.deepEqual([maybe.data, maybe.error], [null, null])
})

test('API-21: search through rpc, filtered, ordered and counted', async () => {
  const { data, count, error } = await client()
    .rpc('search_businesses', { find_loc: 'barcelona' }, { count: 'exact', get: true })
    .select('name, location, sort_rating')
    .order('sort_rating', { ascending: false })
    .order('created_at', { ascending: false })
    .range(0, 4)
  assert.equal(error, null)
  assert.equal(data.length, 5)
  assert.ok(count >= 5)
  const ratings = data.map((business) => business.sort_rating)
  assert.deepEqual(ratings, ratings.toSorted((a, b) => b - a))
})

test('API-27, BOOK-15, DATA-12: a booking is inserted as pending, whatever the client says', async () => {
  const { data: businesses } = await client().from('businesses').select('id, services(id)').not('hours', 'is', null).limit(20)
  const slot = await freeSlot(ana.supabase, businesses)
  const { data, error } = await ana.supabase
    .from('bookings')
    .insert({
      business_id: slot.business, user_id: ana.id, service_id: slot.service,
      booking_date: slot.date, start_time: slot.start, end_time: '23:59', status: 'completed', notes: 'first visit',
    })
    .select('id, status, notes, business:businesses(name), service:services(name, duration, price)')
    .single()
  assert.equal(error, null)
  assert.equal(data.status, 'pending')
  assert.ok(data.business.name && data.service.name)

  // The same slot again is refused, and the other user sees nothing of the first.
  const again = await ben.supabase.from('bookings').insert({
    business_id: slot.business, user_id: ben.id, service_id: slot.service, booking_date: slot.date, start_time: slot.start,
  })
  assert.equal(again.error.code, '23P01')
  const seen = await ben.supabase.from('bookings').select('id').eq('id', data.id)
  assert.deepEqual([seen.data, seen.error], [[], null])
})

test("another user's rows: hidden from reading and changing, refused on insert", async () => {
  const { data: business } = await client().from('businesses').select('id').limit(1).single()
  const mine = await ana.supabase.from('favorites').insert({ user_id: ana.id, business_id: business.id }).select('id').single()
  assert.equal(mine.error, null)
  const deleted = await ben.supabase.from('favorites').delete().eq('id', mine.data.id).select()
  assert.deepEqual([deleted.data, deleted.error], [[], null])
  const kept = await ana.supabase.from('favorites').select('id').eq('id', mine.data.id)
  assert.equal(kept.data.length, 1)
  const forged = await ben.supabase.from('favorites').insert({ user_id: ana.id, business_id: business.id })
  assert.equal(forged.error.code, '42501')
})

test('errors carry upstream codes', async () => {
  const unknown = await client().from('no_such_table').select()
  assert.equal(unknown.error.code, 'PGRST205')
  const column = await client().from('businesses').select('nope')
  assert.equal(column.error.code, '42703')
  const wrongKey = await createClient(process.env.SUPABASE_URL, 'wrong').from('businesses').select('id')
  assert.equal(wrongKey.status, 401)
})

test('API-24, DATA-13: reviews join the reviewer, newest first', async () => {
  const { data, error } = await client()
    .from('reviews')
    .select('rating, comment, created_at, profiles(full_name, avatar_url)')
    .order('created_at', { ascending: false })
    .limit(5)
  assert.equal(error, null)
  assert.equal(data.length, 5)
  assert.ok(data.every((review) => review.profiles?.full_name))
})

test('DATA-31, ADMIN-CLAIM-09: claims join business and claimant, and only the claimant sees them', async () => {
  const { data: business } = await client().from('businesses').select('id, name, location').is('owner_id', null).limit(1).single()
  const claim = await ana.supabase
    .from('claim_requests')
    .insert({
      user_id: ana.id, business_id: business.id, full_name: 'Núria Test', business_email: ana.email, role_at_company: 'Owner',
      verification_method: 'email_domain',
    })
    .select('id, status, business:businesses(name, location, website), claimant:profiles!claim_requests_user_id_fkey(full_name)')
    .single()
  assert.equal(claim.error, null)
  assert.deepEqual([claim.data.status, claim.data.business.name, claim.data.claimant.full_name], ['pending', business.name, 'Núria Test'])
  const seen = await ben.supabase.from('claim_requests').select('id').eq('id', claim.data.id)
  assert.deepEqual([seen.data, seen.error], [[], null])
})

test('abortSignal ends a request', async () => {
  const { error } = await client().from('businesses').select('id').abortSignal(AbortSignal.abort())
  assert.match(error.message, /abort/i)
})
