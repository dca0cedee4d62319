import { api, expect, once, type Person, test } from './fixtures'

const password = 'Plaza-e2e-1'
const toast = (page: import('@playwright/test').Page) => page.getByLabel('Message')

/** Another device of a person, signed in by password. */
async function otherDevice({ email }: Person) {
  const client = api()
  const { data, error } = await client.auth.signInWithPassword({ email, password })
  if (error) throw error
  return { client, refreshToken: data.session.refresh_token }
}

test('ROUTE-26 SEC-02 SEC-03 SEC-04 C-14: four tabs and the last 30 days', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const wrong = api()
  for (let attempt = 0; attempt < 3; attempt++) {
    await wrong.auth.signInWithPassword({ email: person.email, password: 'Wrong-password-1' })
  }
  await page.goto('/security')
  await expect(page.getByRole('tab')).toHaveText([
    'Overview',
    'Two-Factor Auth',
    'Active Sessions',
    'Security Activity',
  ])
  await expect(page.getByRole('heading', { name: 'Last 30 days' })).toBeVisible()
  const count = (name: string) =>
    page.getByRole('tabpanel').locator('dl > div').filter({ hasText: name }).getByRole('definition')
  await expect(count('Failed logins')).toHaveText('3')
  await expect(count('Successful logins')).toHaveText('1')
  await expect(count('Password changes')).toHaveText('0')
  await expect(page.getByText('Somebody has tried wrong passwords')).toBeVisible()
  await expect(page.getByText('Two-factor authentication is off')).toBeVisible()
  await expect(page.getByText('You are signed in on 1 device')).toBeVisible()
  await checkAccessibility()
  await page.getByRole('link', { name: 'Change password' }).click()
  await expect(page).toHaveURL('/profile?tab=account')
  await page.goBack()
  await page.getByRole('link', { name: 'Show activity' }).click()
  await expect(page).toHaveURL('/security?tab=activity')
})

test('SEC-16 SEC-17 ERR-37 S-18: sessions are listed, this one marked; terminating signs the other out', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const other = await otherDevice(person)
  await page.goto('/security?tab=sessions')
  const cards = page.getByRole('article')
  await expect(cards).toHaveCount(2)
  await expect(cards.first()).toContainText('This device')
  await expect(cards.first()).toContainText('127.0.0.1')
  await expect(cards.first()).toContainText(/Last active: (Just now|\d+ min ago)/)
  await expect(cards.last()).not.toContainText('This device')
  await checkAccessibility()
  const terminate = cards.last().getByRole('button', { name: /^Terminate/ })
  await terminate.click()
  const dialog = page.getByRole('dialog', { name: 'Terminate this session?' })
  await checkAccessibility()
  await dialog.getByRole('button', { name: 'Keep session' }).click()
  await expect(terminate).toBeFocused()
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Terminate' }).click()
  await expect(toast(page)).toContainText('Session terminated successfully')
  await expect(cards).toHaveCount(1)
  const { error } = await other.client.auth.refreshSession({ refresh_token: other.refreshToken })
  expect(error?.code, 'its refresh token is dead').toMatch(/refresh_token_not_found|session/)
  await page.reload()
  await expect(cards).toHaveCount(1)
})

test('SEC-17: all others at once, and this one by logging out', once, async ({ page, person }) => {
  await otherDevice(person)
  await otherDevice(person)
  await page.goto('/security?tab=sessions')
  await expect(page.getByRole('article')).toHaveCount(3)
  await page.getByRole('button', { name: 'Terminate all others' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Terminate all others' }).click()
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Terminate all others' })).toBeHidden()
  await page.getByRole('article').getByRole('button', { name: 'Log out' }).click()
  await expect(toast(page)).toContainText('Signed Out')
  await expect(page).toHaveURL('/')
})

test('ERR-37: a session that could not be terminated stays in the list', once, async ({
  page,
  person,
}) => {
  await otherDevice(person)
  await page.route('**/rpc/terminate_session*', (route) => route.abort())
  await page.goto('/security?tab=sessions')
  await page
    .getByRole('article')
    .getByRole('button', { name: /^Terminate/ })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Terminate' }).click()
  await expect(toast(page)).toContainText('Failed to terminate session')
  await expect(page.getByRole('article')).toHaveCount(2)
})

test('SEC-18 SEC-19 AUTH-12: activity, newest first', async ({
  page,
  person,
  checkAccessibility,
}) => {
  await api().auth.signInWithPassword({ email: person.email, password: 'Wrong-password-1' })
  await person.client.auth.updateUser({ password: 'Another-pass-2' })
  await page.goto('/security?tab=activity')
  await expect(page.getByRole('article').getByRole('heading')).toHaveText([
    'Password changed',
    'Failed login',
    'Successful login',
  ])
  await checkAccessibility()
})

test('SEC-16 SEC-19: data that cannot be loaded is reported and can be retried', once, async ({
  page,
  person,
  checkAccessibility,
}) => {
  expect(person.id).not.toBe('')
  const refuse = { status: 400, json: { code: 'PGRST100', message: 'no' } }
  await page.route('**/rest/v1/user_security_events*', (route) => route.fulfill(refuse))
  await page.goto('/security?tab=activity')
  await expect(page.getByText('Your activity could not be loaded')).toBeVisible()
  await checkAccessibility()
  await page.unroute('**/rest/v1/user_security_events*')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByRole('heading', { name: 'Successful login' })).toBeVisible()
})

test('SEC-19: nothing has happened yet', async ({ page, person, checkAccessibility }) => {
  expect(person.id).not.toBe('')
  await page.route('**/rest/v1/user_security_events*', (route) => route.fulfill({ json: [] }))
  await page.goto('/security?tab=activity')
  await expect(page.getByRole('heading', { name: 'No security activity yet' })).toBeVisible()
  await checkAccessibility()
})

test('SEC-02: the open tab is in sight, at first and after the phone was turned', async ({
  page,
  person,
}) => {
  expect(person.id).not.toBe('')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/security?tab=activity')
  const tab = page.getByRole('tab', { name: 'Security Activity' })
  await expect(tab).toBeInViewport({ ratio: 0.95 })
  await page.setViewportSize({ width: 360, height: 800 })
  await expect(tab).toBeInViewport({ ratio: 0.95 })
  await page.reload()
  await expect(tab).toBeInViewport({ ratio: 0.95 })
})
