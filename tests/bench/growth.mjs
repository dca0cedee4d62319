// Measures the requests whose duration must not grow with the directory, one after the other, on a server whose
// database has volume data:
//   bin/plaza seed --volume 1000000 && bin/plaza serve
//   SUPABASE_URL=… SUPABASE_ANON_KEY=… SUPABASE_SERVICE_ROLE_KEY=… node tests/bench/growth.mjs [rounds]
// Prints milliseconds over HTTP for each: those that the client's screens send, for accounts and businesses drawn
// from all. search.mjs measures searches.
import { figures, timed } from './times.mjs'

const { SUPABASE_URL: url, SUPABASE_ANON_KEY: key, SUPABASE_SERVICE_ROLE_KEY: service } = process.env
const rounds = Number(process.argv[2] ?? 60)

const as = (token) => ({ apikey: key, authorization: `Bearer ${token}` })
const rest = (path, parameters, token = key, headers = {}) =>
  timed(`${url}/rest/v1/${path}?${new URLSearchParams(parameters)}`, { headers: { ...as(token), ...headers } })
const counted = { prefer: 'count=exact' }
const day = (ahead) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)

const total = Number((await rest('businesses', { select: 'id', limit: '1' }, service, { prefer: 'count=estimated' })).response.headers.get('content-range').split('/')[1])

// Every twentieth business has an owner among the accounts, and bookings. Those of the demo data, fewer than a thousand, are
// in the total.
const first = 1000
const steps = Math.floor((total - 2 * first) / 20)
if (steps < 1) throw new Error('there is no volume data')
const numberAt = (i) => first + 20 * Math.floor(((i * 0.618_034) % 1) * steps)

async function signIn(number) {
  const { time, body } = await timed(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: key, 'content-type': 'application/json' },
    body: JSON.stringify({ email: `volume-${number}@plaza.test`, password: 'Plaza-demo-1' }),
  })
  const { access_token: token, user } = JSON.parse(body)
  return { time, token, id: user.id }
}

const ownColumns = 'id,business_id,business_name,service_id,service_name,booking_date,start_time,end_time,time_zone,status,business:businesses(slug,location,address)'
const businessColumns = 'id,service_name,service_price,booking_date,start_time,status,source,customer_name,customer:profiles(full_name)'
const cards = 'id,name,type,location,phone,image_url,hours,rating,combined_rating,user_ratings_total,category_code,time_zone'

const times = {}
const note = (name, { time }) => (times[name] ??= []).push(time)

for (let i = 0; i < rounds; i++) {
  const owner = await signIn(numberAt(i))
  note('sign-in with a password', owner)
  const own = { select: ownColumns, user_id: `eq.${owner.id}`, order: 'booking_date.asc,start_time.asc,id', limit: '20' }
  note('own bookings to come', await rest('bookings', { ...own, booking_date: `gte.${day(0)}`, status: 'in.(pending,confirmed)' }, owner.token))
  note('own bookings of the past', await rest('bookings', { ...own, or: `(booking_date.lte.${day(0)},status.in.(cancelled,completed))` }, owner.token))
  const mine = await rest('businesses', { select: cards, owner_id: `eq.${owner.id}`, order: 'created_at.desc' }, owner.token)
  note('own businesses', mine)
  const [business] = JSON.parse(mine.body)
  const of = { business_id: `eq.${business.id}` }
  note('bookings of a business, counted', await rest('bookings', { select: businessColumns, ...of, order: 'booking_date.desc,start_time.desc,id', limit: '20' }, owner.token, counted))
  note('requests of a business, counted', await rest('bookings', { select: 'id', ...of, status: 'eq.pending', booking_date: `gte.${day(0)}`, limit: '1' }, owner.token, counted))
  const [offer] = JSON.parse((await rest('services', { select: 'id', ...of, limit: '1' })).body)
  note('slots of a day', await rest('rpc/booking_slots', { p_business_id: business.id, p_service_id: offer.id, p_date: day(1 + (i % 12)) }))
  const found = await rest('rpc/best_businesses', { select: 'id', find_loc: 'Madrid', limit: '12' })
  note('next free slots of a page', await rest('rpc/next_free_slots', { p_business_ids: `{${JSON.parse(found.body).map(({ id }) => id)}}` }))
  note('page of a business', await rest('businesses', { select: '*,services(*),reviews(id,rating,comment)', id: `eq.${business.id}` }))
  note('first page of a category', await rest('businesses', { select: cards, category_code: 'eq.hair', order: 'ranking.desc,created_at.desc', limit: '12' }))
  note('a category in a city, counted', await rest('businesses', { select: cards, city_slug: 'eq.encamp', category_code: 'eq.hair', order: 'ranking.desc,created_at.desc', limit: '12' }, key, counted))
}
for (const table of ['profiles', 'businesses', 'bookings']) {
  note(`all ${table}, counted`, await rest(table, { select: 'id', limit: '1' }, service, counted))
}

console.log(`about ${total} businesses; milliseconds: p50, p95, worst of ${rounds}`)
for (const [name, list] of Object.entries(times)) console.log(`${name.padEnd(36)}${figures(list)}`)
