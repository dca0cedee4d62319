// The calls listed in the marketplace's requirements (API-09 to API-49), as their client makes
// them, with unmodified supabase-js: by callers with and without permission.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { client, demo, freeSlot, newUser, service } from './users.mjs'

/** Returns the result of a call, which must succeed. */
async function ok(call) {
  const { data, error } = await call
  assert.equal(error, null)
  return data
}

/** The call is refused with a code, or it changes and returns nothing. */
async function refused(call, code) {
  assert.equal((await call).error?.code, code)
}
async function nothing(call) {
  assert.deepEqual(await ok(call), [])
}

const descending = (values) => assert.deepEqual(values, values.toSorted((a, b) => (a < b ? 1 : -1)))
const ascending = (values) => assert.deepEqual(values, values.toSorted((a, b) => (a < b ? -1 : 1)))

const visitor = client()
const hours = Object.fromEntries(
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((day) => [day, { open: '09:00', close: '18:00', isOpen: true }]),
)
const fields = {
  name: 'Taller Crida', type: 'Car Repair', location: 'Andorra la Vella, Andorra', phone: '+376 812 345',
  hours: { structured: hours }, longitude: 1.52, latitude: 42.51, amenities: [{ name: 'Parking', category: 'accessibility', available: true }],
}

let buyer, seller, admin, shop, oilChange
before(async () => {
  ;[buyer, seller, admin] = [await newUser(), await newUser(), await demo('admin')]
  await ok(service().from('profiles').update({ role: 'owner' }).eq('id', seller.id))
  shop = await ok(seller.supabase.from('businesses').insert({ ...fields, owner_id: seller.id }).select().single()) // API-18
  oilChange = await ok(
    seller.supabase.from('services').insert({ business_id: shop.id, name: 'Oil change', price: 60, duration: 30 }).select().single(),
  )
})
after(async () => {
  await ok(service().from('businesses').delete().eq('id', shop.id))
})

describe('anybody reads', () => {
  test('RULE-02, S-10: a plus sign in the address is refused at sign-up', async () => {
    const { error } = await client().auth.signUp({ email: `a+${randomUUID()}@example.com`, password: 'Plaza-demo-1' })
    assert.deepEqual([error?.status, error?.message], [422, 'Plus signs not allowed in email'])
  })

  test('PERM-03, PERM-04: nothing of the pages that need a session', async () => {
    const behind = {
      '/dashboard': 'favorites', '/bookings': 'bookings', '/notifications': 'notifications', '/messages': 'messages',
      '/become-seller': 'seller_applications', '/security': 'user_sessions', '/admin': 'audit_logs',
    }
    for (const [page, table] of Object.entries(behind)) {
      const { status, error } = await visitor.from(table).select('id').limit(1)
      assert.deepEqual([status, error?.code], [401, '42501'], page)
    }
    await refused(visitor.from('businesses').insert(fields), '42501') // /business/new
    await refused(visitor.from('businesses').update({ name: 'Mine' }).eq('id', shop.id), '42501') // its edit screen
  })

  test('API-09: the active plans, the cheapest first', async () => {
    const plans = await ok(visitor.from('subscription_plans').select('*').eq('is_active', true).order('price_monthly', { ascending: true }))
    assert.ok(plans.length >= 3)
    ascending(plans.map((plan) => Number(plan.price_monthly)))
  })

  test('API-13: a redirect by its old address', async () => {
    const old = `/old/${randomUUID()}`
    await ok(service().from('url_redirects').insert([
      { old_url: old, new_url: `/business/${shop.id}`, business_id: shop.id, is_active: true },
      { old_url: `${old}-off`, new_url: '/', business_id: shop.id, is_active: false },
    ]))
    const find = (path) => visitor.from('url_redirects').select('new_url').eq('old_url', path).eq('is_active', true).maybeSingle()
    assert.equal((await ok(find(old))).new_url, `/business/${shop.id}`)
    assert.equal(await ok(find(`${old}-off`)), null)
    await refused(visitor.from('url_redirects').insert({ old_url: '/x', new_url: '/y' }), '42501')
  })

  test('API-14: all categories', async () => {
    assert.ok((await ok(visitor.from('categories').select('*'))).length > 5)
  })

  test("API-15: the product's active categories by name", async () => {
    const names = (await ok(visitor.from('categories-plaza').select('*').eq('is_active', true).order('category_name'))).map((row) => row.category_name)
    assert.ok(names.length > 20)
    const language = new Intl.Collator('es').compare
    assert.deepEqual(names.map((name) => name[0]), names.toSorted(language).map((name) => name[0]))
  })

  test('API-16: synonyms of a term, the most important first', async () => {
    const [{ normalized_term: term }] = await ok(visitor.from('category_synonyms').select('normalized_term').limit(1))
    const found = await ok(visitor.from('category_synonyms').select('*').eq('normalized_term', term).order('priority', { ascending: false }).limit(5))
    assert.ok(found.length > 0)
    descending(found.map((synonym) => synonym.priority))
    const partly = await ok(visitor.from('category_synonyms').select('normalized_term').ilike('normalized_term', `%${term.slice(0, 3)}%`).limit(3))
    assert.ok(partly.length > 0 && partly.every((synonym) => synonym.normalized_term.includes(term.slice(0, 3))))
  })

  test('API-17: a business by id, slug, old slug or path, and those of an owner', async () => {
    await ok(service().from('businesses').update({ old_slug: `old-${shop.slug}`, url_path: `/ad/andorra-la-vella/auto-repair/${shop.slug}` }).eq('id', shop.id))
    for (const [column, value] of Object.entries({ id: shop.id, slug: shop.slug, old_slug: `old-${shop.slug}`, url_path: `/ad/andorra-la-vella/auto-repair/${shop.slug}` })) {
      assert.equal((await ok(visitor.from('businesses').select('id').eq(column, value).single())).id, shop.id, column)
    }
    assert.deepEqual(await ok(seller.supabase.from('businesses').select('id').eq('owner_id', seller.id)), [{ id: shop.id }])
    await refused(visitor.from('businesses').select('id').eq('slug', 'no-such-business').single(), 'PGRST116')
  })

  test('API-31: the businesses with the best ratings', async () => {
    const best = await ok(visitor.from('businesses').select('name, combined_rating').not('combined_rating', 'is', null).order('combined_rating', { ascending: false }).limit(6))
    assert.equal(best.length, 6)
    descending(best.map((business) => business.combined_rating))
  })
})

describe('an owner writes', () => {
  test('API-18, API-19: the fields of a business, and no other owner does', async () => {
    assert.equal(shop.name, fields.name)
    const { data: changed } = await seller.supabase.from('businesses').update({ ...fields, name: 'Taller Nou' }).eq('id', shop.id).select('name').single()
    assert.equal(changed.name, 'Taller Nou')
    await nothing(buyer.supabase.from('businesses').update({ name: 'Mine' }).eq('id', shop.id).select())
    await refused(buyer.supabase.from('businesses').insert({ ...fields, owner_id: buyer.id }), '42501')
  })

  test('API-20: hours, amenities and the cover, each alone', async () => {
    for (const change of [{ hours: { structured: { ...hours, sunday: { isOpen: false } } } }, { amenities: [{ name: 'Wi-Fi', category: 'custom', available: true }] }, { image_url: 'https://example.com/cover.png' }]) {
      const [column] = Object.keys(change)
      const saved = await ok(seller.supabase.from('businesses').update(change).eq('id', shop.id).select(column).single())
      assert.deepEqual(saved, change)
    }
  })

  test('API-22: services by name, one more, one less', async () => {
    const { id } = await ok(seller.supabase.from('services').insert({ business_id: shop.id, name: 'Brakes', price: 90, duration: 60 }).select('id').single())
    const names = (await ok(visitor.from('services').select('*').eq('business_id', shop.id).order('name'))).map(({ name }) => name)
    assert.deepEqual(names, ['Brakes', 'Oil change'])
    await nothing(buyer.supabase.from('services').delete().eq('id', id).select())
    assert.equal((await ok(seller.supabase.from('services').delete().eq('id', id).select('id'))).length, 1)
    await refused(buyer.supabase.from('services').insert({ business_id: shop.id, name: 'x', price: 1, duration: 30 }), '42501')
  })

  test('API-23: photos in their order', async () => {
    const row = (place) => ({ business_id: shop.id, photo_url: `https://example.com/${place}.png`, caption: `${place}`, display_order: place })
    await ok(seller.supabase.from('business_photos').insert([row(0), row(1)]))
    const photos = () => ok(visitor.from('business_photos').select('*').eq('business_id', shop.id).order('display_order', { ascending: true }))
    const [first, second] = await photos()
    await ok(seller.supabase.from('business_photos').update({ display_order: 2 }).eq('id', first.id))
    assert.deepEqual((await photos()).map(({ id }) => id), [second.id, first.id])
    await nothing(buyer.supabase.from('business_photos').delete().eq('id', first.id).select())
    await ok(seller.supabase.from('business_photos').delete().eq('id', first.id))
    assert.equal((await photos()).length, 1)
  })

  test('STORE-01, STORE-02, STORE-03, STORE-04: photos lie in business-photos, for everybody to see', async () => {
    const photos = seller.supabase.storage.from('business-photos')
    const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
    const path = `${seller.id}/${shop.id}/${Date.now()}.png`
    await ok(photos.upload(path, picture, { contentType: 'image/png' }))
    const { publicUrl } = visitor.storage.from('business-photos').getPublicUrl(path).data
    const answer = await fetch(publicUrl)
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/png'])
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), picture)
    await nothing(buyer.supabase.storage.from('business-photos').remove([path]))
    assert.equal((await ok(photos.remove([path]))).length, 1)
    assert.equal((await fetch(publicUrl)).status, 400)
  })

  test('PERM-05, PERM-12: the own businesses, and nothing that asks for a higher role', async () => {
    const rival = await newUser()
    await ok(service().from('profiles').update({ role: 'owner' }).eq('id', rival.id))
    assert.deepEqual(await ok(rival.supabase.from('businesses').select('id').eq('owner_id', rival.id)), [])
    assert.deepEqual(await ok(seller.supabase.from('businesses').select('id').eq('owner_id', seller.id)), [{ id: shop.id }])
    await nothing(rival.supabase.from('businesses').update({ name: 'Mine' }).eq('id', shop.id).select())
    await refused(buyer.supabase.from('businesses').insert({ ...fields, owner_id: buyer.id }), '42501')
    for (const who of [buyer, seller]) {
      await refused(who.supabase.rpc('admin_users'), 'PT403')
      await nothing(who.supabase.from('audit_logs').select('id').limit(1))
    }
  })

  test('METRICS-23: figures are computed from visitor events', async () => {
    const visits = (agent) => fetch(`${process.env.SUPABASE_URL}/api/visits`, {
      method: 'POST', headers: { 'user-agent': `Mozilla/5.0 ${agent}` },
      body: JSON.stringify({ events: ['page_view', 'call'].map((kind) => ({ business: shop.id, kind })) }),
    })
    assert.deepEqual((await Promise.all(['one', 'two', 'one'].map(visits))).map(({ status }) => status), [204, 204, 204])
    await refused(seller.supabase.rpc('refresh_metrics'), 'PT403')
    while (!(await ok(service().rpc('refresh_metrics')))); // another server may be running it
    const rows = await ok(service().from('business_metrics').select('num_total_page_views, num_calls').eq('business_id', shop.id))
    assert.deepEqual(rows, [{ num_total_page_views: 2, num_calls: 2 }])
    await ok(service().from('business_metrics').delete().eq('business_id', shop.id))
  })

  test('API-44, API-45: figures of one business', async () => {
    const today = new Date().toISOString().slice(0, 10)
    const day = (back) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10)
    await ok(service().from('business_metrics').insert([3, 1, 2].map((back) => ({ business_id: shop.id, metric_date: day(back), url_clicks: back }))))
    await ok(service().from('advertiser_metrics').insert({ business_id: shop.id, metric_date: day(1), billed_clicks: 4 }))
    const between = (table) => seller.supabase.from(table).select('*').eq('business_id', shop.id).gte('metric_date', day(2)).lte('metric_date', today).order('metric_date', { ascending: true })
    // SUB-07: analytics need a plan.
    assert.deepEqual(await ok(between('business_metrics')), [])
    const pro = await ok(visitor.from('subscription_plans').select('id').eq('tier', 'pro').single())
    await ok(service().from('user_subscriptions').upsert({ user_id: seller.id, plan_id: pro.id, subscribed: true }))
    assert.deepEqual((await ok(between('business_metrics'))).map((row) => row.url_clicks), [2, 1])
    assert.deepEqual((await ok(between('advertiser_metrics'))).map((row) => row.billed_clicks), [4])
    const joined = await ok(seller.supabase.from('business_metrics').select('metric_date, business:businesses!inner(id, name, owner_id)').eq('business_id', shop.id).order('metric_date', { ascending: false }))
    descending(joined.map((row) => row.metric_date))
    assert.equal(joined[0].business.owner_id, seller.id)
    await nothing(buyer.supabase.from('business_metrics').select().eq('business_id', shop.id))
  })
})

describe('a customer', () => {
  test('API-11: a profile is upserted, and only its own', async () => {
    const row = { full_name: 'Núria Crida', updated_at: new Date().toISOString() }
    await ok(buyer.supabase.from('profiles').upsert({ id: buyer.id, ...row }))
    assert.equal((await ok(buyer.supabase.from('profiles').select('full_name').eq('id', buyer.id).single())).full_name, 'Núria Crida')
    await refused(buyer.supabase.from('profiles').upsert({ id: seller.id, ...row }), '42501')
  })

  test('API-25, FAV-05: favourites with their business', async () => {
    const { id } = await ok(buyer.supabase.from('favorites').insert({ user_id: buyer.id, business_id: shop.id }).select('id').single())
    const [joined] = await ok(buyer.supabase.from('favorites').select('id, business:businesses(id, name, type, image_url, rating, combined_rating)').eq('user_id', buyer.id))
    assert.deepEqual(Object.keys(joined.business), ['id', 'name', 'type', 'image_url', 'rating', 'combined_rating'])
    assert.equal(joined.business.id, shop.id)
    assert.deepEqual(await ok(buyer.supabase.from('favorites').select('id').eq('user_id', buyer.id).eq('business_id', shop.id).maybeSingle()), { id })
    await nothing(seller.supabase.from('favorites').select().eq('user_id', buyer.id))
    assert.equal((await ok(buyer.supabase.from('favorites').delete().eq('id', id).select('id'))).length, 1)
  })

  test('API-26, API-27, API-28, API-46: books; both see it; the owner is notified and reads it', async () => {
    const slot = await freeSlot(buyer.supabase, [{ id: shop.id, services: [oilChange] }])
    const booked = await ok(buyer.supabase.from('bookings').insert({
      business_id: shop.id, user_id: buyer.id, service_id: oilChange.id,
      booking_date: slot.date, start_time: slot.start, end_time: '23:59', notes: 'by a call', status: 'pending',
    }).select('id').single())
    const mine = await ok(buyer.supabase.from('bookings').select('*, business:businesses(name), service:services(name, price)').eq('user_id', buyer.id))
    assert.deepEqual(mine.map(({ id, service: { price } }) => [id, Number(price)]), [[booked.id, 60]])
    const ofTheDay = () => seller.supabase.from('bookings').select('id, service:services(price)').eq('business_id', shop.id).eq('booking_date', slot.date)
    assert.equal((await ok(ofTheDay())).length, 1)

    const unread = () => seller.supabase.from('notifications').select('id, created_at, read').eq('user_id', seller.id).eq('read', false).order('created_at', { ascending: false })
    const [note, ...others] = await ok(unread())
    descending([note, ...others].map((row) => row.created_at))
    await nothing(buyer.supabase.from('notifications').update({ read: true }).eq('id', note.id).select())
    await ok(seller.supabase.from('notifications').update({ read: true }).eq('id', note.id))
    assert.equal((await ok(unread())).length, others.length)
    await ok(seller.supabase.from('notifications').update({ read: true }).eq('user_id', seller.id).eq('read', false))
    assert.deepEqual(await ok(unread()), [])
  })

  test('API-29: the state of the application, if there is one', async () => {
    const status = () => buyer.supabase.from('seller_applications').select('status').eq('user_id', buyer.id).maybeSingle()
    assert.equal(await ok(status()), null)
    await ok(buyer.supabase.from('seller_applications').insert({ user_id: buyer.id, business_name: 'Crida', business_type: 'Bar', location: 'Madrid' }))
    assert.deepEqual(await ok(status()), { status: 'pending' })
  })

  test('API-12, API-48, S-16: sessions are read and ended, but made by the server alone', async () => {
    const session = await ok(buyer.supabase.from('user_sessions').select('id, is_active').eq('user_id', buyer.id).eq('is_active', true).limit(1).single())
    await refused(buyer.supabase.from('user_sessions').insert({ user_id: buyer.id, session_token: 'mine' }), '42501')
    await refused(buyer.supabase.from('user_sessions').update({ expires_at: '2099-01-01' }).eq('id', session.id), '42501')
    await nothing(seller.supabase.from('user_sessions').update({ is_active: false }).eq('id', session.id).select('id'))
    const leaver = await newUser()
    await ok(leaver.supabase.from('user_sessions').update({ is_active: false }).eq('user_id', leaver.id))
    assert.equal((await leaver.supabase.auth.refreshSession()).data.session, null, 'an ended session is not refreshed')
  })

  test('API-47, S-21: the second factor is seen without its secret, and not written', async () => {
    await refused(buyer.supabase.from('user_totp_secrets').select('is_verified').eq('user_id', buyer.id).single(), 'PGRST116')
    await ok(buyer.supabase.auth.mfa.enroll({ factorType: 'totp' }))
    assert.deepEqual(await ok(buyer.supabase.from('user_totp_secrets').select('is_verified').eq('user_id', buyer.id).single()), { is_verified: false })
    await refused(buyer.supabase.from('user_totp_secrets').select('secret_key'), '42703')
    await refused(buyer.supabase.from('user_totp_secrets').update({ is_verified: true }).eq('user_id', buyer.id), '0A000')
    await refused(buyer.supabase.from('user_totp_secrets').delete().eq('user_id', buyer.id), '42501')
  })

  test('API-49: security events, the newest first', async () => {
    await ok(buyer.supabase.rpc('log_security_event', { p_user_id: buyer.id, p_event_type: 'successful_login' }))
    const events = await ok(buyer.supabase.from('user_security_events').select('*').eq('user_id', buyer.id).order('created_at', { ascending: false }).limit(50))
    assert.ok(events.some((event) => event.event_type === 'successful_login'))
    descending(events.map((event) => event.created_at))
    await nothing(seller.supabase.from('user_security_events').select().eq('user_id', buyer.id))
  })
})

describe('an admin', () => {
  const count = (who, table) => who.supabase.from(table).select('*', { count: 'exact', head: true })

  test('API-30, S-57: counts, limited to the own rows', async () => {
    for (const table of ['profiles', 'businesses', 'bookings']) assert.ok((await count(admin, table)).count > 1, table)
    assert.ok((await count(seller, 'profiles')).count < (await count(admin, 'profiles')).count)
    assert.deepEqual((await ok(seller.supabase.from('profiles').select('id').not('role', 'is', null))).map(({ id }) => id), [seller.id])
    assert.equal((await count(admin, 'bookings')).count > (await count(seller, 'bookings')).count, true)
  })

  test('API-32, API-33, S-04, S-49: finds profiles, gives roles and deletes accounts, by plain calls and by functions that keep the rules', async () => {
    const people = [await newUser(), await newUser()]
    const ids = people.map(({ id }) => id)
    const name = `Pia ${randomUUID().slice(0, 8)}`
    await ok(people[0].supabase.from('profiles').update({ full_name: name }).eq('id', ids[0]))
    const whole = await ok(admin.supabase.from('profiles').select('*').eq('id', ids[0]).single())
    assert.deepEqual([whole.full_name, whole.role, whole.totp_enabled], [name, 'user', false])
    assert.deepEqual(await ok(admin.supabase.from('profiles').select('id, full_name, avatar_url').eq('id', ids[0]).single()), { id: ids[0], full_name: name, avatar_url: null })
    const { display_id: number } = await ok(admin.supabase.from('profiles').select('full_name, display_id').eq('id', ids[0]).single())
    for (const p_search of [name, number]) {
      const found = await ok(admin.supabase.rpc('admin_users', { p_search, p_role: 'user' }))
      assert.deepEqual(found.map(({ id }) => id), [ids[0]], p_search)
    }
    assert.deepEqual(await ok(admin.supabase.rpc('admin_users', { p_search: name, p_role: 'owner' })), [])

    assert.equal(await ok(admin.supabase.rpc('admin_set_role', { p_user_ids: [ids[0]], p_role: 'owner' })), 1)
    assert.equal(await ok(admin.supabase.rpc('admin_set_role', { p_user_ids: ids, p_role: 'owner' })), 1)
    const roles = await ok(admin.supabase.from('profiles').select('role').in('id', ids))
    assert.deepEqual(roles.map(({ role }) => role), ['owner', 'owner'])
    const own = await ok(people[0].supabase.from('profiles').select('*').eq('id', ids[0]).single())
    assert.deepEqual([own.role, own.display_id], ['owner', number])
    const roleOf = (who) => who.supabase.from('profiles').select('role').eq('id', who.id).single()
    assert.deepEqual(await ok(roleOf(people[0])), { role: 'owner' })
    await refused(people[0].supabase.from('profiles').update({ role: 'admin' }).eq('id', ids[0]), '42501')
    await nothing(people[0].supabase.from('profiles').update({ role: 'user' }).eq('id', ids[1]).select())
    await refused(people[0].supabase.from('profiles').delete().eq('id', ids[0]), '42501')
    for (const who of [people[0], admin]) {
      await refused(who.supabase.from('profiles').update({ totp_enabled: true }).eq('id', ids[0]), '42501') // S-23
    }
    const named = await ok(admin.supabase.from('profiles').select('*').eq('role', 'owner').or(`full_name.ilike.%${name}%,display_id.eq.${number}`))
    assert.deepEqual(named.map(({ id }) => id), [ids[0]])
    const given = await ok(admin.supabase.from('profiles').update({ role: 'user' }).in('id', ids).select('id, role'))
    assert.deepEqual(given.map(({ role }) => role), ['user', 'user'])
    await refused(admin.supabase.from('profiles').update({ role: 'user' }).eq('id', admin.id), 'PT409')
    await refused(admin.supabase.from('profiles').update({ role: 'king' }).eq('id', ids[0]), 'PT422')
    await refused(admin.supabase.from('profiles').update({ full_name: 'Mine' }).eq('id', ids[0]), '42501')
    await refused(admin.supabase.from('profiles').delete().eq('id', admin.id), 'PT409')
    await refused(people[0].supabase.rpc('admin_set_role', { p_user_ids: ids, p_role: 'admin' }), 'PT403')
    await refused(admin.supabase.rpc('admin_set_role', { p_user_ids: [admin.id], p_role: 'user' }), 'PT409')

    const before = (await count(admin, 'profiles')).count
    assert.ok(before >= 2)
    await refused(people[0].supabase.rpc('admin_delete_user', { p_user_ids: ids }), 'PT403')
    assert.equal(await ok(admin.supabase.rpc('admin_delete_user', { p_user_ids: [ids[0]] })), 1)
    assert.equal(await ok(admin.supabase.rpc('admin_delete_user', { p_user_ids: [ids[0]] })), 0)
    assert.deepEqual(await ok(admin.supabase.from('profiles').delete().in('id', ids).select('id')), [{ id: ids[1] }])
    assert.deepEqual(await ok(admin.supabase.from('profiles').select('id').in('id', ids)), [])
    const again = await client().auth.signInWithPassword({ email: people[0].email, password: 'Long-enough-1' })
    assert.equal(again.error?.code, 'invalid_credentials') // C-17
  })

  test('API-34, PERM-08: finds businesses by name, number and type, counts them, and changes any without reading it', async () => {
    const { name, display_id: number, type } = await ok(visitor.from('businesses').select('name, display_id, type').eq('id', shop.id).single())
    for (const text of [name, number]) {
      const found = await ok(admin.supabase.from('businesses').select('*').or(`name.ilike.%${text}%,display_id.ilike.%${text}%`).eq('type', type))
      assert.ok(found.some(({ id }) => id === shop.id), text)
    }
    const types = (await ok(admin.supabase.rpc('admin_business_types'))).map((row) => row.type)
    assert.ok(types.includes(type) && new Set(types).size === types.length)
    assert.equal((await ok(admin.supabase.from('businesses').select('*').eq('id', shop.id).single())).id, shop.id)
    assert.ok((await count(admin, 'businesses')).count > 100)
    await ok(admin.supabase.from('businesses').update({ tagline: 'Seen to' }).eq('id', shop.id))
    assert.deepEqual(await ok(visitor.from('businesses').select('tagline').eq('id', shop.id).single()), { tagline: 'Seen to' })
  })

  test('API-43: asks one question for each check of the data', async () => {
    const today = new Date().toISOString().slice(0, 10)
    const slot = await freeSlot(buyer.supabase, [{ id: shop.id, services: [oilChange] }])
    const booking = { business_id: shop.id, user_id: buyer.id, service_id: oilChange.id, booking_date: slot.date, start_time: slot.start }
    const { id: late } = await ok(service().from('bookings').insert(booking).select('id').single())
    await ok(service().from('bookings').update({ booking_date: '2020-01-01' }).eq('id', late))
    const from = (table, columns = 'id') => admin.supabase.from(table).select(columns)
    for (const check of [
      from('businesses').or('rating.lt.0,rating.gt.5'), from('reviews').or('rating.lt.1,rating.gt.5'), from('services').lt('price', 0),
    ]) {
      assert.deepEqual(await ok(check), []) // constraints of the tables
    }
    assert.ok((await ok(from('bookings').eq('status', 'pending').lt('booking_date', today))).some(({ id }) => id === late))
    assert.ok((await ok(from('businesses').is('owner_id', null).limit(1))).length === 1)
    const pairs = (await ok(from('business_categories', 'business_id, category_id'))).map(Object.values).map(String)
    assert.equal(new Set(pairs).size, pairs.length)
    await nothing(seller.supabase.from('bookings').select('id').eq('user_id', admin.id))
    await ok(service().from('bookings').delete().eq('id', late))
  })

  test('API-35, C-39: verifies a business, gives it to somebody, moves its address, deletes it', async () => {
    const { id } = await ok(service().from('businesses').insert({ ...fields, owner_id: seller.id }).select('id').single())
    const change = (who, row) => who.supabase.from('businesses').update(row).eq('id', id).select('id')
    const moderated = { is_claimed: true, verification_status: 'verified' }
    await ok(change(seller, { owner_id: admin.id }))
    await ok(change(admin, moderated))
    assert.deepEqual(await ok(visitor.from('businesses').select('owner_id, is_claimed, verification_status').eq('id', id).single()), { owner_id: seller.id, ...moderated })
    const heir = await newUser()
    await ok(change(admin, { owner_id: heir.id }))
    assert.equal((await ok(visitor.from('businesses').select('owner_id').eq('id', id).single())).owner_id, heir.id)
    assert.equal((await ok(heir.supabase.from('profiles').select('role').eq('id', heir.id).single())).role, 'owner')
    await ok(change(admin, { url_path: `/ad/andorra-la-vella/auto-repair/${id}`, old_slug: `old-${id}`, migrated_url: true }))
    await nothing(admin.supabase.from('businesses').select('id').eq('migrated_url', false).eq('id', id))
    await nothing(change(buyer, { name: 'Mine' }))
    await nothing(seller.supabase.from('businesses').delete().eq('id', id).select())
    assert.equal((await ok(admin.supabase.from('businesses').delete().eq('id', id).select('id'))).length, 1)
  })

  test('API-36, API-37: categories and locations are searched, added, changed and deleted', async () => {
    const name = `Crida ${randomUUID().slice(0, 8)}`
    for (const [table, column, row, changed] of [
      ['categories', 'name', { name, icon: '🔧' }, { icon: '🪛' }],
      ['url_mappings', 'original', { type: 'location', original: name, slug: name.toLowerCase().replace(' ', '-') }, { slug: `c-${name.slice(6)}` }],
    ]) {
      await refused(seller.supabase.from(table).insert(row), '42501')
      await ok(admin.supabase.from(table).insert(row))
      const [found] = await ok(admin.supabase.from(table).select('*').ilike(column, `%${name.slice(2)}%`).order(column))
      assert.equal(found[column], name)
      await ok(admin.supabase.from(table).update(changed).eq('id', found.id))
      assert.deepEqual(await ok(visitor.from(table).select(Object.keys(changed)[0]).eq('id', found.id).single()), changed)
      await nothing(seller.supabase.from(table).delete().eq('id', found.id).select())
      assert.equal((await ok(admin.supabase.from(table).delete().eq('id', found.id).select('id'))).length, 1)
    }
  })

  test('API-38: claims with claimant and business, by status and text, and their review', async () => {
    const [{ id: unclaimed }] = await ok(visitor.from('businesses').select('id').is('owner_id', null).limit(1))
    const claim = await ok(buyer.supabase.from('claim_requests').insert({
      user_id: buyer.id, business_id: unclaimed, full_name: 'Núria Crida', business_email: buyer.email, role_at_company: 'Owner', verification_method: 'email_domain',
    }).select('id').single())
    const [found] = await ok(admin.supabase.from('claim_requests')
      .select('*, profile:profiles(full_name), business:businesses(name)')
      .eq('status', 'pending').or(`full_name.ilike.%crida%,business_email.ilike.%${buyer.email}%`)
      .order('submitted_at', { ascending: false }))
    assert.deepEqual([found.id, found.profile.full_name], [claim.id, 'Núria Crida'])
    const reviewed = { status: 'rejected', reviewed_at: new Date().toISOString(), reviewed_by: admin.id, admin_notes: 'No answer' }
    await nothing(seller.supabase.from('claim_requests').update(reviewed).eq('id', claim.id).select())
    await ok(admin.supabase.from('claim_requests').update(reviewed).eq('id', claim.id))
    assert.equal((await ok(buyer.supabase.from('claim_requests').select('status').eq('id', claim.id).single())).status, 'rejected')
  })

  test('API-39, API-40: applications and reports are filtered, searched and decided', async () => {
    const reported = { reporter_id: buyer.id, reported_id: shop.id, type: 'business', reason: 'Spam', details: 'crida crida' }
    const { id } = await ok(buyer.supabase.from('reports').insert(reported).select('id').single())
    const [found] = await ok(admin.supabase.from('reports').select('*, reporter:profiles(full_name)')
      .eq('status', 'pending').eq('type', 'business').or('reason.ilike.%crida%,details.ilike.%crida%'))
    assert.deepEqual([found.id, found.reporter.full_name], [id, 'Núria Crida'])
    await ok(admin.supabase.from('reports').update({ status: 'resolved' }).eq('id', id))
    await ok(admin.supabase.from('reports').delete().eq('id', id))
    const mine = admin.supabase.from('seller_applications').select('id, status, applicant:profiles(full_name)').eq('user_id', buyer.id).ilike('business_name', '%crida%')
    const [application] = await ok(mine)
    await ok(admin.supabase.from('seller_applications').update({ status: 'rejected' }).in('id', [application.id]))
    assert.equal((await ok(admin.supabase.from('seller_applications').delete().in('id', [application.id]).select('id'))).length, 1)
  })

  test('API-41: the audit trail, by table and action', async () => {
    const entries = await ok(admin.supabase.from('audit_logs').select('*').eq('table_name', 'businesses').eq('action', 'INSERT')
      .or(`table_name.ilike.%${shop.id}%,record_id.eq.${shop.id}`).order('created_at', { ascending: false }).limit(100))
    assert.equal(entries.length, 1)
    await nothing(seller.supabase.from('audit_logs').select().limit(1))
  })

  test('API-42: a redirect is kept', async () => {
    const row = { old_url: `/was/${randomUUID()}`, new_url: `/business/${shop.id}`, business_id: shop.id, redirect_type: 301 }
    await refused(seller.supabase.from('url_redirects').insert(row), '42501')
    await ok(admin.supabase.from('url_redirects').insert(row))
  })
})
