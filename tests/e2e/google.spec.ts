import type { Page } from '@playwright/test'
import { newEmail } from './accounts'
import { expect, once, test } from './fixtures'

const toast = (page: Page) => page.getByLabel('Message')

async function toProvider(page: Page) {
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Choose a test account')
}

/** Continues at the local provider as a new user. */
async function chooseNew(page: Page, name: string) {
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Email address').fill(newEmail('google'))
  await page.getByLabel('The address is verified').check()
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
}

test('API-04 AUTH-01 AUTH-04 AUTH-07 AUTH-13 AUTH-14 AUTH-16 ERR-19: Google, by way of the local provider', async ({
  page,
  checkAccessibility,
}) => {
  await page.goto('/auth')
  const asked = page.waitForRequest(/\/auth\/v1\/authorize\?/)
  await toProvider(page)
  const redirect = new URL((await asked).url()).searchParams.get('redirect_to')
  expect(new URL(redirect ?? '').pathname).toBe('/auth/callback')
  await checkAccessibility()
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/auth/v1/token*', (route) => held.then(() => route.continue()))
  await chooseNew(page, 'Aina Google')
  await expect(page.getByText('Signing you in...')).toBeVisible()
  answer()
  await expect(toast(page)).toContainText('Welcome!')
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('button', { name: 'Account of Aina Google' })).toBeVisible()
  await page.goto('/profile?tab=account')
  await expect(page.getByText('You sign in without a password.')).toBeVisible()
})

test('AUTH-14: the interrupted page opens after Google', once, async ({ page }) => {
  await page.goto('/notifications')
  await expect(page).toHaveURL('/auth')
  await toProvider(page)
  await chooseNew(page, 'Biel Google')
  await expect(page).toHaveURL('/notifications')
})

test('AUTH-15: Cancel at the provider leads back to sign-in and says why', once, async ({ page }) => {
  await page.goto('/auth')
  await toProvider(page)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL('/auth')
  await expect(page.getByText('Authentication Failed').first()).toBeVisible()
})

test('ERR-06: a refusal before the redirect to Google is shown on the page', once, async ({ page }) => {
  await page.goto('/auth')
  const google = page.getByRole('button', { name: 'Continue with Google' })
  const alert = page.getByRole('alert')
  await page.route('**/auth/v1/authorize*', (route) => route.abort(), { times: 1 })
  await google.click()
  await expect(alert).toContainText('Google Sign In Error')
  await page.route(
    '**/auth/v1/authorize*',
    (route) => route.fulfill({ status: 400, json: { code: 'validation_failed', message: 'no' } }),
    { times: 1 },
  )
  await google.click()
  await expect(alert).toContainText('Google Sign In Failed')
  await expect(page).toHaveURL('/auth')
  await toProvider(page)
})
