import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type APIRequestContext, test as base, expect, type Locator, type Page } from '@playwright/test'
import { createClient, type Session, type SupabaseClient } from '@supabase/supabase-js'
import { service } from './accounts'

export { expect }

/** For tests that do not depend on layout: run on one screen size only. */
export const once = { tag: '@once' }

const url = process.env.SUPABASE_URL ?? 'http://127.0.0.1:54321'
const anonKey = process.env.SUPABASE_ANON_KEY ?? ''
const password = 'Plaza-e2e-1'

/** Half the size of `axe.source`, and half the time to inject it; with `0` as a result that is not sent back. */
const axeScript = `${readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')};0`

/** A client of the data API with its own session, separate from the browser's. */
export function api(): SupabaseClient {
  return createClient(url, anonKey, { auth: { persistSession: false, autoRefreshToken: false } })
}

export type Person = { client: SupabaseClient; session: Session; email: string; id: string }

type Mail = { kind: string; text: string }

/**
 * The code in the newest confirmation mail to an address; mails arrive shortly after the response.
 */
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

/** Signs a person up and confirms the address, through the same endpoints as a user. */
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

/** Stores a session where the client keeps it, before its first script runs. */
export async function enter(page: Page, person: Person): Promise<void> {
  await page.addInitScript((session) => {
    if (!localStorage.getItem('plaza.auth')) localStorage.setItem('plaza.auth', session)
  }, JSON.stringify(person.session))
}

/**
 * Makes the page request all its data, so that a test can mock the responses: otherwise, a
 * visitor's first screen renders from data included in the page.
 */
export async function disableIncludedData(page: Page): Promise<void> {
  await page.addInitScript(() => {
    // The page is parsed completely before its modules run.
    document.addEventListener('readystatechange', () => {
      document.getElementById('first-answers')?.remove()
      document.getElementById('first-view')?.remove()
    })
  })
}

/**
 * Requests a page with its first view: it is sent without if the data does not arrive within a
 * second.
 */
export async function whole(request: APIRequestContext, address: string): Promise<string> {
  let page = ''
  await expect(async () => {
    const answer = await request.get(address, { maxRedirects: 0 })
    expect(answer.status(), address).toBe(200)
    const html = await answer.text()
    expect(html, address).toContain('id="first-view"')
    page = html
  }).toPass()
  return page
}

/** Returns today's date in a zone, as yyyy-MM-dd. */
export function todayIn(timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date())
}

/**
 * Returns axe's violations with all its rules, once nothing moves any more. @axe-core/playwright
 * finds the same in four times the time: to support frames it loads axe again, in a new page, for
 * each run. We have no frames; a page with one fails.
 */
async function violations(page: Page): Promise<{ id: string; where: string[] }[]> {
  expect(page.frames()).toHaveLength(1)
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeScript)
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    let hasMoved = false
    const note = () => {
      hasMoved = true
    }
    const starts = ['transitionrun', 'animationstart']
    for (const start of starts) document.addEventListener(start, note)
    const isLoading = () => document.querySelector('[aria-busy="true"]') !== null
    const changing = () => [
      ...(isLoading() ? [new Promise(requestAnimationFrame)] : []),
      ...document
        .getAnimations()
        .filter(({ playState, timeline }) => playState === 'running' && timeline === document.timeline)
        .filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished),
    ]
    let violations: Awaited<ReturnType<typeof axe.run>>['violations'] = []
    // A toast that fades has less contrast, and so has a list while its successor loads. Either may
    // start while others are waited for, while axe runs, or just before: a debounce may end then.
    do {
      for (let all = changing(); all.length > 0; all = changing()) await Promise.allSettled(all)
      hasMoved = false
      violations = (await axe.run({ resultTypes: ['violations'] })).violations
    } while ((hasMoved || isLoading()) && violations.length > 0)
    for (const start of starts) document.removeEventListener(start, note)
    return violations.map(({ id, nodes }) => ({
      id,
      where: nodes.map((node) => node.target.join(' ')),
    }))
  })
}

/** Slowdown factor of the processor (make flaky). */
const slowdown = Number(process.env.E2E_SLOWDOWN ?? 1)

type Fixtures = {
  /** Fails if axe finds a violation on the page in its current state. */
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
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
      expect(await violations(page)).toEqual([])
    })
  },
  person: async ({ page }, use) => {
    const person = await newPerson()
    await enter(page, person)
    await use(person)
  },
})

/** Blocks a page's requests to some URLs; the returned function releases all of them. */
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

/** Waits until the page has handled the responses that it has got: by then it has read another one. */
export async function responsesHandled(page: Page): Promise<void> {
  await page.evaluate(() => fetch('/health').then((other) => other.text()))
}

/**
 * Stops the page's clock, so that only `clock.runFor` moves it: a slow machine shows then what a fast
 * one does. Before the page is opened.
 */
export async function stopClock(page: Page): Promise<void> {
  const start = Date.now()
  await page.clock.install({ time: start })
  await page.clock.pauseAt(start + 1)
}

/** Moves a stopped clock in steps of 50 ms, whatever the real time, until something is shown. */
export async function runUntilVisible(page: Page, shown: Locator): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(50)
    expect(await shown.isVisible()).toBe(true)
  }).toPass({ intervals: [20], timeout: 20_000 })
}
