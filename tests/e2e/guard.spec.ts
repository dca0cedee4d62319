import type { Page, Route } from '@playwright/test'
import { service } from './accounts'
import { expect, once, test } from './fixtures'
import { makeSeller } from './owners'

/** Intercepts the script that reads the session, whatever its name is in this build. */
async function onSessionScript(page: Page, act: (route: Route) => Promise<void>): Promise<void> {
  await page.route('**/assets/*.js', async (route) => {
    const script = await route.fetch()
    if ((await script.text()).includes('GoTrueClient')) return act(route)
    await route.fulfill({ response: script })
  })
}

test('AUTH-16 AUTH-17 ERR-21: each step before a guarded page is said', once, async ({ page, person }) => {
  /** Blocks all responses of a URL until they are released. */
  const hold = async (address: string) => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(address, (route) => held.then(() => route.fallback()))
    return release
  }
  const step = page.getByRole('main').getByRole('status')
  const account = '**/rest/v1/profiles*'
  const making = '**/rest/v1/rpc/ensure_profile*'
  const refuse = { status: 400, json: { code: '22000', message: 'no' } }

  let releaseSession = () => {}
  const held = new Promise<void>((resolve) => {
    releaseSession = resolve
  })
  await onSessionScript(page, (route) => held.then(() => route.fallback()))
  const releaseAccount = await hold(account)
  await page.goto('/notifications')
  await expect(step).toHaveText('Checking session...')
  releaseSession()
  await expect(step).toHaveText('Checking user role...')
  releaseAccount()
  await expect(step.first()).toHaveText('Access granted')
  await page.unrouteAll({ behavior: 'ignoreErrors' })

  await makeSeller(person)
  const releaseRole = await hold(account)
  await page.goto('/business/new')
  await expect(step).toHaveText('Verifying owner access...')
  releaseRole()
  await expect(page.getByLabel('Business name')).toBeVisible()
  await page.unrouteAll({ behavior: 'ignoreErrors' })

  await page.route(account, (route) => route.fulfill(refuse), { times: 1 })
  await page.goto('/notifications')
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('Profile Error')
  await expect(alert).toContainText('Failed to load user profile. Please try again.')

  // As a user whose profile was never created.
  const { error } = await service().from('profiles').delete().eq('id', person.id)
  expect(error).toBeNull()
  await page.route(making, (route) => route.fulfill(refuse), { times: 1 })
  await alert.getByRole('button', { name: 'Try Again' }).click()
  await expect(alert).toContainText('Failed to create user profile. Please try again.')
  const releaseMaking = await hold(making)
  await alert.getByRole('button', { name: 'Try Again' }).click()
  await expect(step).toHaveText('Creating user profile...')
  releaseMaking()
  await expect(page.getByRole('heading', { level: 1, name: 'Notifications' })).toBeVisible()
})

test('ERR-27 ERR-32: a check that failed is no refusal, and a session that was ended is one', once, async ({
  page,
  person,
}) => {
  await makeSeller(person)
  const alert = page.getByRole('alert')
  const again = alert.getByRole('button', { name: 'Try Again' })
  await onSessionScript(page, (route) => route.abort())
  await page.goto('/business/new')
  await expect(alert).toContainText('Authentication check failed')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.route(
    '**/rest/v1/profiles*',
    (route) => route.fulfill({ status: 400, json: { code: '22000', message: 'no' } }),
    { times: 1 },
  )
  await again.click()
  await expect(alert).toHaveText(/Permission check failedUnable to verify user permissions/)
  await again.click()
  await expect(page.getByLabel('Business name')).toBeVisible()

  await page.goto('/bookings')
  await expect(page.getByRole('heading', { level: 1, name: 'My Bookings' })).toBeVisible()
  await person.client.auth.signOut({ scope: 'global' })
  await page.reload()
  await expect(page).toHaveURL('/auth')
  await expect(page.getByRole('main').getByText('Please log in again')).toBeVisible()
  expect(await page.evaluate(() => sessionStorage.getItem('plaza.redirect'))).toContain('/bookings')
})
