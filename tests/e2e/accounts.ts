import { expect, type Locator, type Page } from '@playwright/test'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'

const url = process.env.SUPABASE_URL ?? 'http://127.0.0.1:54321'

export const newPassword = 'Plaza-e2e-1'

/** Returns an unused address; the name makes it recognizable in the inbox. */
export function newEmail(name: string): string {
  return `e2e-${name}-${crypto.randomUUID()}@plaza.test`
}

/** A client with the service key: for what no user can do, such as changing a session's times. */
export function service(): SupabaseClient {
  return createClient(url, process.env.SUPABASE_SERVICE_ROLE_KEY ?? '', {
    auth: { persistSession: false, autoRefreshToken: false },
  })
}

type Mail = { kind: string; text: string }

async function newest(to: string, kind: 'confirmation' | 'recovery' | 'claim_code' | 'sms'): Promise<string> {
  let found: Mail | undefined
  await expect(async () => {
    const answer = await fetch(`${url}/inbox/messages?to=${encodeURIComponent(to)}`)
    const mails: Mail[] = await answer.json()
    found = mails.find((mail) => mail.kind === kind)
    expect(found, `a message (${kind}) to ${to}`).toBeDefined()
  }).toPass()
  return found?.text ?? ''
}

/** The link in the newest mail of a kind. */
export async function mailedLink(email: string, kind: 'confirmation' | 'recovery') {
  return (await newest(email, kind)).match(/https?:\S+\/verify\S+/)?.[0] ?? ''
}

/** The code in the newest mail of a kind. */
export async function mailedCode(email: string, kind: 'confirmation' | 'recovery') {
  return (await newest(email, kind)).match(/code: (\d{6})/)?.[1] ?? ''
}

/** The code in the newest mail that proves a claim. */
export async function claimCode(email: string): Promise<string> {
  return (await newest(email, 'claim_code')).match(/\d{6}/)?.[0] ?? ''
}

/** The code in the newest SMS to a number, written without its plus. */
export async function smsCode(phone: string): Promise<string> {
  return (await newest(phone, 'sms')).match(/\d{6}/)?.[0] ?? ''
}

/** Fills the sign-up form and sends it. */
export async function signUpByForm(page: Page, email: string, name = 'Ona Vidal') {
  await page.getByLabel('Full name').fill(name)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(newPassword)
  await page.getByLabel('Confirm password').fill(newPassword)
  await page.getByRole('button', { name: 'Create Account' }).click()
}

/** Fills the sign-in form and sends it. */
export async function signInByForm(page: Page, email: string, password = newPassword) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('tabpanel').getByRole('button', { name: 'Sign In' }).click()
}

/** Opens the link in a mail and presses the button of the server's page. */
export async function followLink(page: Page, email: string, kind: 'confirmation' | 'recovery') {
  await page.goto(await mailedLink(email, kind))
  await page.getByRole('button').click()
}

const mostStops = 80

/** Presses Tab until a control has the focus; fails if it cannot be reached. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let stop = 0; stop < mostStops; stop++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${target} cannot be reached by keyboard`)
}
