import { mkdir, writeFile } from 'node:fs/promises'
import { createClient, type Session } from '@supabase/supabase-js'
import { service } from '../e2e/accounts'
import { Authenticator } from '../e2e/authenticator'
import { bookableShopOf, dayAhead } from '../e2e/bookable-shops'
import { api, newPerson, type Person } from '../e2e/fixtures'
import { makeSeller, shopOf } from '../e2e/owners'

/** Who views a screen; a guest is signed out. */
export const roles = [
  'user',
  'owner',
  'admin',
  'newcomer',
  'newOwner',
  'bigOwner',
  'regular',
  'applicant',
  'rejected',
  'halfSignedIn',
] as const
export type Role = (typeof roles)[number]

/** The ids used in the URLs of screens. */
export type Cast = {
  sessions: Record<Role, Session>
  /** The demo owner's first business, and one without an owner. */
  demo: string
  demoSlug: string
  unclaimed: string
  /** A business with a lot of data. */
  big: string
  /** One without a photo, a service or a review. */
  bare: string
  conversation: string
}

const longName =
  'Perruqueria i Centre d’Estètica Nostra Senyora de Meritxell'.slice(0, 60)
const longService = 'Tractament reestructurant amb queratina i massatge capil·lar'
const much = 200

async function demoSession(email: string): Promise<Session> {
  const { data, error } = await api().auth.signInWithPassword({ email, password: 'Plaza-demo-1' })
  if (error) throw error
  return data.session
}

/** Inserts rows with the service role; returns one column of the first. */
async function insert(table: string, rows: object[]): Promise<void> {
  for (let from = 0; from < rows.length; from += 100) {
    const { error } = await service().from(table).insert(rows.slice(from, from + 100))
    if (error) throw new Error(`${table}: ${error.message}`)
  }
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index)

/**
 * A business with 200 services, 200 bookings, and favourites, notifications and conversations for
 * its regular customer.
 */
async function manyOfAll(owner: Person, regular: Person): Promise<{ big: string }> {
  const shop = await bookableShopOf(owner, longName)
  await insert(
    'services',
    range(much - 1).map((n) => ({
      business_id: shop.id,
      name: n % 3 === 0 ? `${longService} ${n}` : `Tall i pentinat ${n}`,
      description: n % 5 === 0 ? 'Amb productes ecològics de la vall, sense sulfats ni parabens.' : null,
      price: n % 7 === 0 ? 1234.5 : 10 + n,
      duration: 15 + 15 * (n % 8),
    })),
  )
  await insert(
    'bookings',
    range(much).map((n) => ({
      business_id: shop.id,
      service_id: shop.serviceId,
      booking_date: dayAhead(Math.floor(n / 9) - 6),
      start_time: `${String(9 + (n % 9)).padStart(2, '0')}:00`,
      status: ['pending', 'confirmed', 'completed', 'cancelled'][n % 4],
      notes: n % 6 === 0 ? 'És la meva primera visita.' : null,
      // Only bookings entered by the business itself may be in the past.
      ...(n % 2 === 0 && n > 9 * 7
        ? { user_id: regular.id, source: 'online', customer_name: null }
        : { user_id: null, source: 'business', customer_name: `Maria dels Àngels Puigdomènech ${n}` }),
    })),
  )
  await insert(
    'notifications',
    range(much).map((n) => ({
      user_id: regular.id,
      type: ['booking', 'review', 'message', 'other'][n % 4],
      title: n % 4 === 0 ? `Your booking at ${longName} was confirmed` : 'New message',
      content: 'See you soon. You can cancel until it starts.',
      link: '/bookings',
      read: n > 5,
    })),
  )
  const { data } = await service().from('businesses').select('id').neq('id', shop.id).limit(much)
  await insert(
    'favorites',
    [...(data ?? []), shop].map(({ id }) => ({ user_id: regular.id, business_id: id })),
  )
  return { big: shop.id }
}

async function apply(person: Person, status: string): Promise<Session> {
  await insert('seller_applications', [
    {
      user_id: person.id,
      business_name: longName,
      business_type: 'Hair Salons',
      business_description: 'Tallem cabells des de 1952, i fem tota mena de tractaments.',
      location: 'Andorra la Vella, Andorra',
      status,
    },
  ])
  return person.session
}

/** A user with a second factor, who has not used it yet. */
async function halfSignedIn(): Promise<Session> {
  const { client, email } = await newPerson('Factor Dos')
  const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp' })
  if (error) throw error
  const code = await new Authenticator(data.totp.secret).code()
  const { error: refused } = await client.auth.mfa.challengeAndVerify({ factorId: data.id, code })
  if (refused) throw refused
  const again = await api().auth.signInWithPassword({ email, password: 'Plaza-e2e-1' })
  if (again.error) throw again.error
  return again.data.session
}

/** A conversation with a long word and a long name. */
async function talk(person: Session, business: string, owner: string): Promise<string> {
  const client = createClient(process.env.SUPABASE_URL ?? '', process.env.SUPABASE_ANON_KEY ?? '', {
    auth: { persistSession: false, autoRefreshToken: false },
    accessToken: async () => person.access_token,
  })
  await insert('messages', [
    ...range(12).map((n) => ({
      sender_id: n % 2 === 0 ? person.user.id : owner,
      recipient_id: n % 2 === 0 ? owner : person.user.id,
      business_id: business,
      created_at: new Date(Date.now() - (12 - n) * 3_600_000).toISOString(),
      content: n === 4 ? `https://example.com/${'a-long-path/'.repeat(12)}` : `Line ${n + 1}: una pregunta.`,
    })),
  ])
  const { data, error } = await client.from('conversations').select('id').eq('business_id', business)
  if (error) throw error
  return data[0]?.id ?? ''
}

async function first(owned: boolean, owner: string): Promise<{ id: string; slug: string }> {
  const businesses = service().from('businesses').select('id, slug').eq('source', 'seeded').order('name')
  const { data, error } = await (owned
    ? businesses.eq('owner_id', owner).eq('category_code', 'hair')
    : businesses.is('owner_id', null))
    .limit(1)
    .single()
  if (error) throw error
  return data
}

/** Creates the users and the data that the screens show, and passes them in the environment. */
export default async function prepare(): Promise<void> {
  await mkdir('pictures/results', { recursive: true })
  const [user, owner, admin] = await Promise.all(
    ['user', 'owner', 'admin'].map((name) => demoSession(`${name}@plaza.test`)),
  )
  if (!user || !owner || !admin) throw new Error('the demo accounts are missing')
  const people: Person[] = []
  for (const name of ['Nova Arribada', 'Nou Propietari', 'Gran Propietari', 'Client Fidel', 'A', 'B', 'C']) {
    people.push(await newPerson(name))
  }
  const [newcomer, newOwner, bigOwner, regular, applicant, rejected, other] = people as [
    Person, Person, Person, Person, Person, Person, Person,
  ]
  await makeSeller(newOwner)
  const { big } = await manyOfAll(bigOwner, regular)
  const bare = await shopOf(other, longName)
  const demo = await first(true, owner.user.id)
  const cast: Cast = {
    sessions: {
      user,
      owner,
      admin,
      newcomer: newcomer.session,
      newOwner: newOwner.session,
      bigOwner: bigOwner.session,
      regular: regular.session,
      applicant: await apply(applicant, 'pending'),
      rejected: await apply(rejected, 'rejected'),
      halfSignedIn: await halfSignedIn(),
    },
    demo: demo.id,
    demoSlug: demo.slug,
    unclaimed: (await first(false, '')).id,
    big,
    bare: bare.id,
    conversation: await talk(regular.session, big, bigOwner.id),
  }
  process.env.PICTURES_CAST = JSON.stringify(cast)
}
