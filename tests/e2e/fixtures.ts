import { test as base, expect, type Page } from '@playwright/test'
import { createClient, type Session, type SupabaseClient } from '@supabase/supabase-js'
import axe from 'axe-core'
import { service } from './accounts'

export { expect }

/** Of a test whose subject is not how a screen looks: on one size of screen only. */
export const once = { tag: '@once' }

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

/**
 * Has the page ask for all it shows, so that a test can answer in the server's place: without it,
 * a visitor's first screen is drawn from what came with the page.
 */
export async function asksForAll(page: Page): Promise<void> {
  await page.addInitScript(() => {
    // The page is read whole before its modules run.
    document.addEventListener('readystatechange', () => {
      document.getElementById('first-answers')?.remove()
      document.getElementById('first-view')?.remove()
    })
  })
}

export type Bookable = {
  id: string
  slug: string
  name: string
  timeZone: string
  serviceId: string
  serviceName: string
}

/**
 * A business of the demo data with an owner and a service, other for each turn and project, so that
 * tests at the same time do not take each other's slots.
 */
export async function bookable(turn: number): Promise<Bookable> {
  const client = api()
  const isPhone = test.info().project.name === 'phone'
  const { data, error } = await client
    .from('businesses')
    .select('id, slug, name, time_zone, services!inner(id, name)')
    .eq('category_code', 'hair')
    .eq('source', 'seeded')
    .not('owner_id', 'is', null)
    .order('id')
  if (error) throw error
  const businesses = data.filter((_, index) => index % 2 === (isPhone ? 0 : 1))
  const business = businesses[turn % businesses.length]
  const [service] = business?.services ?? []
  if (!business || !service) throw new Error('the demo data holds too few salons')
  const { id, slug, name, time_zone: timeZone } = business
  return { id, slug, name, timeZone, serviceId: service.id, serviceName: service.name }
}

/** The calendar day in a zone, as yyyy-MM-dd. */
export function todayIn(timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date())
}

export type FreeSlot = { date: string; time: string; label: string }

/** A free slot of a business some days ahead, as the database tells it. */
export async function freeSlot(business: Bookable, daysAhead: number): Promise<FreeSlot> {
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
 * Lets a business take no bookings today, so that its next free slot lies on another day: one of
 * today may be past before a test has booked it.
 */
export async function closeToday({ id, timeZone }: Bookable): Promise<void> {
  const { error } = await service()
    .from('blackout_dates')
    .upsert(
      { business_id: id, blackout_date: todayIn(timeZone) },
      { onConflict: 'business_id,blackout_date', ignoreDuplicates: true },
    )
  if (error) throw error
}

/**
 * What axe finds with all its rules, once nothing moves any more. @axe-core/playwright finds the
 * same in four times the time: for the sake of frames it loads axe once more, in a new page, for
 * each run. We have no frames; a page with one fails.
 */
async function violations(page: Page): Promise<{ id: string; where: string[] }[]> {
  expect(page.frames()).toHaveLength(1)
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    let hasMoved = false
    const note = () => {
      hasMoved = true
    }
    const starts = ['transitionrun', 'animationstart']
    for (const start of starts) document.addEventListener(start, note)
    let violations: Awaited<ReturnType<typeof axe.run>>['violations'] = []
    // A message that begins to fade while axe looks has less contrast than it had.
    do {
      const moving = document
        .getAnimations()
        .filter(
          ({ playState, timeline }) => playState === 'running' && timeline === document.timeline,
        )
        .filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
      await Promise.allSettled(moving.map(({ finished }) => finished))
      hasMoved = false
      violations = (await axe.run()).violations
    } while (hasMoved && violations.length > 0)
    for (const start of starts) document.removeEventListener(start, note)
    return violations.map(({ id, nodes }) => ({
      id,
      where: nodes.map((node) => node.target.join(' ')),
    }))
  })
}

/** How many times slower than it is the processor plays (make flaky). */
const slowdown = Number(process.env.E2E_SLOWDOWN ?? 1)

type Fixtures = {
  /** Fails when axe finds anything on the page as it stands. */
  checkAccessibility: () => Promise<void>
  /** A new, confirmed person, signed in on the page. */
  person: Person
}

export const test = base.extend<Fixtures>({
  page: async ({ page }, use) => {
    if (slowdown > 1) {
      const devtools = await page.context().newCDPSession(page)
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    }
    await use(page)
  },
  checkAccessibility: async ({ page }, use) => {
    await use(async () => {
      // What is dimmed while its successor loads has less contrast for that moment.
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
      await page.waitForFunction(() => !document.getAnimations().some((one) => one instanceof CSSTransition))
      expect(await violations(page)).toEqual([])
    })
  },
  person: async ({ page }, use) => {
    const person = await newPerson()
    await enter(page, person)
    await use(person)
  },
})

/** Holds back what a page asks of some addresses; the function that it gives lets all of it go on. */
export async function hold(page: Page, addresses: string): Promise<() => void> {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route(addresses, async (route) => {
    await held
    await route.continue()
  })
  return letGo
}
