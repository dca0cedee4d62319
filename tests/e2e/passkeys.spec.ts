import type { Page } from '@playwright/test'
import { service, signInByForm } from './accounts'
import { expect, once, test } from './fixtures'

const toast = (page: Page) => page.getByLabel('Message')

// Passkeys need host names, not IP addresses: the same server under its other URL.
test.use({
  baseURL: (process.env.SUPABASE_URL ?? 'http://127.0.0.1:54321').replace('127.0.0.1', 'localhost'),
})

/** Gives the page a device with a lock, which its user unlocks. */
async function device(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

async function add(page: Page) {
  await page.goto('/security?tab=two-factor')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(toast(page)).toContainText('Passkey added')
  await expect(page.getByRole('article')).toHaveCount(1)
}

async function signOut(page: Page) {
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(toast(page)).toContainText('Signed Out')
}

test('ERR-10 ERR-13: a passkey is added, renamed, signs in, and is removed', async ({
  page,
  person,
  checkAccessibility,
}) => {
  await device(page)
  await page.goto('/security?tab=two-factor')
  await expect(page.getByText('You have no passkey yet.')).toBeVisible()
  await checkAccessibility()
  await add(page)
  const card = page.getByRole('article')
  await expect(card).toContainText(/Chrome on/)
  await card.getByRole('button', { name: /^Rename/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Rename passkey' })
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await dialog.getByLabel('Name').fill('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Please enter a name')).toBeVisible()
  await checkAccessibility()
  await dialog.getByLabel('Name').fill('Kitchen laptop')
  await dialog.getByLabel('Name').press('Enter')
  await expect(card.getByRole('heading', { name: 'Kitchen laptop' })).toBeVisible()
  await checkAccessibility()

  await signOut(page)
  // The session that the test started with must not come back with the next page.
  await page.evaluate(() => localStorage.setItem('plaza.auth', 'null'))
  await page.getByRole('link', { name: 'Sign In' }).first().click()
  await checkAccessibility()
  const signIn = page.getByRole('button', { name: 'Sign in with a passkey' })
  const failNext = (status: number, code: string) =>
    page.route(
      '**/auth/v1/passkeys/authentication/**',
      (route) => route.fulfill({ status, json: { error_code: code, msg: 'raw words' } }),
      { times: 1 },
    )
  await failNext(500, 'unexpected_failure')
  await signIn.click()
  await expect(page.getByRole('alert')).toContainText('Login FailedAn unexpected error occurred')
  await failNext(429, 'over_request_rate_limit')
  await signIn.click()
  await expect(page.getByRole('alert')).toHaveText(
    'Login FailedToo many attempts. Wait a minute and try again.',
  )
  await signIn.click()
  await expect(toast(page)).toContainText('Signed in successfully')
  await expect(page).toHaveURL('/dashboard')
  const { data } = await service()
    .from('user_security_events')
    .select('event_type')
    .eq('user_id', person.id)
  expect(data?.filter((event) => event.event_type === 'successful_login').length).toBe(2)

  await page.goto('/security?tab=two-factor')
  await expect(card).toContainText('last used')
  await card.getByRole('button', { name: /^Remove/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(toast(page)).toContainText('Passkey removed')
  await expect(page.getByText('You have no passkey yet.')).toBeVisible()
})

test('a device with a passkey reports that; a device without one signs in by other means', once, async ({
  page,
  person,
  browser,
}) => {
  await device(page)
  await add(page)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByRole('alert')).toContainText(
    'This device holds a passkey of yours already.',
  )
  await expect(page.getByRole('article')).toHaveCount(1)
  const other = await browser.newPage()
  await device(other)
  await other.goto('/auth')
  const asked = other.waitForResponse('**/auth/v1/passkeys/authentication/**')
  await other.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await asked
  // No passkey on the device is treated like a dismissed dialog: no error.
  await expect(other.getByRole('button', { name: 'Sign in with a passkey' })).toBeEnabled()
  await expect(other.getByRole('alert')).toHaveCount(0)
  await signInByForm(other, person.email)
  await expect(other).toHaveURL('/dashboard')
  await other.close()
})

test('where passkeys cannot be used, none are offered', once, async ({ page }) => {
  const byNumber = process.env.SUPABASE_URL ?? 'http://127.0.0.1:54321'
  await page.goto(`${byNumber}/auth`)
  await expect(page.getByRole('button', { name: 'Continue with Google' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toHaveCount(0)
})
