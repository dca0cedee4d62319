import { AxeBuilder } from '@axe-core/playwright'
import { test as base, expect, type Page } from '@playwright/test'
import { createClient, type Session, type SupabaseClient } from '@supabase/supabase-js'

export { expect }

const url = process.env.SUPABASE_URL ?? 'http://127.0.0.1:54321'
const anonKey = process.env.SUPABASE_ANON_KEY ?? ''
const password = 'Plaza-e2e-1'

/** A client of the data API with a session of its own; the browser's is another. */
export function api(): SupabaseClient {
  return createClient(url, anonKey, { auth: { persistSession: false, autoRefreshToken: false } })
}

export type Person = { client: SupabaseClient; session: Session; email: string; id: string }

type Mail = { kind: string; text: string }

/** The code of the newest confirmation mail to an address; mails leave a moment after the answer. */
async function confirmationCode(email: string): Promise<string> {
  let code: string | undefined
  await expect(async () => {
    const answer = await fetch(`${url}/inbox/messages?to=${encodeURIComponent(email)}`)
    const mails: Mail[] = await answer.json()
    code = mails.find((mail) => mail.kind === 'confirmation')?.text.match(/code: (\d{6})/)?.[1]
    expect(code, `a confirmation code mailed to ${email}`).toBeDefined()
  }).toPass()
  return code ?? ''
}

/** Signs somebody up and confirms the address, through the same doors as a person. */
export async function newPerson(name = 'Ona Vidal'): Promise<Person> {
  const client = api()
  const email = `e2e-${crypto.randomUUID()}@plaza.test`
  const { error } = await client.auth.signUp({
    email,
    password,
    options: { data: { full_name: name } },
  })
  if (error) throw error
  const token = await confirmationCode(email)
  const { data, error: refused } = await client.auth.verifyOtp({ email, token, type: 'signup' })
  if (refused || !data.session) throw refused ?? new Error('confirmed without a session')
  return { client, session: data.session, email, id: data.session.user.id }
}

/** Puts a session where the client keeps it, before its first script runs. */
export async function enter(page: Page, person: Person): Promise<void> {
  await page.addInitScript((session) => {
    if (!localStorage.getItem('plaza.auth')) localStorage.setItem('plaza.auth', session)
  }, JSON.stringify(person.session))
}

export type Bookable = {
  id: string
  slug: string
  name: string
  serviceId: string
  serviceName: string
}

/**
 * A business of the demo data with a service that has a free slot, other for each turn and
 * project, so that tests at the same time do not take each other's slots.
 */
export async function bookable(turn: number): Promise<Bookable> {
  const client = api()
  const isPhone = test.info().project.name === 'phone'
  const { data, error } = await client
    .from('businesses')
    .select('id, slug, name, services!inner(id, name)')
    .eq('category_code', 'hair')
    .order('id')
  if (error) throw error
  const businesses = data.filter((_, index) => index % 2 === (isPhone ? 0 : 1))
  const business = businesses[turn % businesses.length]
  const [service] = business?.services ?? []
  if (!business || !service) throw new Error('the demo data holds too few salons')
  const { id, slug, name } = business
  return { id, slug, name, serviceId: service.id, serviceName: service.name }
}

type Fixtures = {
  /** Fails when axe finds anything on the page as it stands. */
  checkAccessibility: () => Promise<void>
  /** A new, confirmed person, signed in on the page. */
  person: Person
}

export const test = base.extend<Fixtures>({
  checkAccessibility: async ({ page }, use) => {
    await use(async () => {
      const { violations } = await new AxeBuilder({ page }).analyze()
      const found = violations.map(({ id, nodes }) => ({
        id,
        where: nodes.map((node) => node.target.join(' ')),
      }))
      expect(found).toEqual([])
    })
  },
  person: async ({ page }, use) => {
    const person = await newPerson()
    await enter(page, person)
    await use(person)
  },
})
