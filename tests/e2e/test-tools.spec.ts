import type { Page } from '@playwright/test'
import { service } from './accounts'
import { expectNoOverflow, rowsOf, setAdmin } from './admins'
import { expect, newPerson, once, test } from './fixtures'
import { toast } from './photo-page'

// Test tools and test users. What they make is the same rows for everybody, so these tests run one
// after the other, and remove what they made.

test.describe.configure({ mode: 'serial' })

const dialog = (page: Page) => page.getByRole('dialog')
const press = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click()
const count = (page: Page, kind: string) =>
  page.getByLabel('Test data now').locator('div').filter({ hasText: kind }).getByRole('definition')

/** Opens the confirmation and clears the test data. */
async function clear(page: Page, withProfiles: boolean): Promise<void> {
  await page.goto('/admin?tab=test-tools')
  await page.getByRole('button', { name: 'Clear test data' }).click()
  if (withProfiles) await dialog(page).getByLabel('Include test profiles, except admins').check()
  await press(page, 'Clear test data')
  await expect(toast(page)).toContainText('Test data cleared')
}

/** Deletes what the tools made, and test admins, which they keep. */
async function removeTestRows(): Promise<void> {
  for (const table of ['reports', 'bookings', 'businesses']) {
    const { error } = await service().from(table).delete().eq('is_test', true)
    if (error) throw error
  }
  const { data, error } = await service().auth.admin.listUsers({ perPage: 1000 })
  if (error) throw error
  for (const { id, email } of data.users) {
    if (email?.endsWith('@test.plaza.test')) await service().auth.admin.deleteUser(id)
  }
}

test.beforeAll(removeTestRows)
test.afterAll(removeTestRows)

test('ADMIN-TEST-01 ADMIN-TEST-02 ADMIN-TEST-03 ADMIN-TEST-05 ADMIN-TEST-06 ADMIN-TEST-07 SEED-01 C-19 C-55 S-54: data is seeded, counted and cleared; real listings stay', once, async ({
  page,
  person,
  checkAccessibility,
}) => {
  await setAdmin(person)
  const { data: real } = await service()
    .from('businesses')
    .insert({ name: 'Made by hand', type: 'Bar', location: 'Encamp, Andorra', source: 'manual' })
    .select('id')
    .single()
  await page.goto('/admin?tab=test-tools')
  await expect(page.getByRole('tablist', { name: 'Parts of the test tools' }).getByRole('tab')).toHaveText([
    'Test Data',
    'Test Users',
  ])
  await expect(page.getByText('5 profiles, 5 businesses, 15 reviews, 15 bookings, 10 reports')).toBeVisible()
  await expect(count(page, 'Businesses')).toHaveText('0')
  await page.getByLabel('Minimal').check()
  await checkAccessibility()
  const reloaded = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Seed data' }).click()
  // At once: the page reloads soon, which removes it.
  await expect(toast(page)).toContainText(
    /Sample data seeded.*3 profiles, 2 businesses, 4 reviews, 4 bookings, 2 reports/,
  )
  await reloaded
  for (const [kind, amount] of [['Profiles', '3'], ['Businesses', '2'], ['Reviews', '4'], ['Bookings', '4'], ['Reports', '2']] as const) {
    await expect(count(page, kind)).toHaveText(amount)
  }
  // The rows that a visitor sees: a listing with a rating, which can be booked.
  const { data: made } = await service().from('businesses').select('id, source, rating').eq('is_test', true)
  expect(made?.map(({ source }) => source)).toEqual(['seeded', 'seeded'])
  expect(made?.every(({ rating }) => rating > 0)).toBe(true)

  await page.getByRole('button', { name: 'Clear test data' }).click()
  await expect(dialog(page)).toContainText('This removes 2 businesses, 4 reviews, 4 bookings, 2 reports.')
  await checkAccessibility()
  await press(page, 'Clear test data')
  await expect(toast(page)).toContainText('2 businesses, 4 reviews, 4 bookings, 2 reports')
  await expect(count(page, 'Businesses')).toHaveText('0')
  await expect(count(page, 'Profiles')).toHaveText('3')
  await clear(page, true)
  await expect(toast(page)).toContainText('3 profiles')
  await expect(count(page, 'Profiles')).toHaveText('0')
  const { data: kept } = await service().from('businesses').delete().eq('id', real?.id).select('name')
  expect(kept).toEqual([{ name: 'Made by hand' }])
})

test('ADMIN-TEST-04 PERM-17 S-54: all data is only cleared with the typed words', once, async ({ page, person, checkAccessibility }) => {
  await setAdmin(person)
  const sent: string[] = []
  // Others use this database: the answer is the server's in tests/rls.
  await page.route('**/rest/v1/rpc/admin_clear_all_data', async (route) => {
    sent.push(route.request().postData() ?? '')
    await route.fulfill({ json: [{ what: 'businesses', removed: 3 }, { what: 'favorites', removed: 9 }] })
  })
  await page.goto('/admin?tab=test-tools')
  await page.getByRole('button', { name: 'Clear all data' }).click()
  const words = dialog(page).getByLabel('Type DELETE ALL DATA to confirm')
  await expect(words).toBeFocused()
  await words.fill('delete all data')
  await words.press('Enter')
  await expect(dialog(page)).toContainText('Type exactly DELETE ALL DATA')
  expect(sent).toEqual([])
  await checkAccessibility()
  await words.fill('DELETE ALL DATA')
  await words.press('Enter')
  await expect(toast(page)).toContainText('All data cleared')
  await expect(toast(page)).toContainText('Removed: 3 businesses')
  expect(sent).toEqual(['{"p_phrase":"DELETE ALL DATA"}'])
  await expect(dialog(page)).toHaveCount(0)

  // The server checks the words itself, and who asks.
  const wrong = await person.client.rpc('admin_clear_all_data', { p_phrase: 'yes' })
  expect(wrong.error?.details).toBe('wrong_phrase')
})

test('ERR-52: what fails while seeding or clearing is told', once, async ({ page, person }) => {
  await setAdmin(person)
  await page.route('**/rest/v1/rpc/admin_{seed,clear}_*', (route) =>
    route.fulfill({ status: 403, json: { code: 'PT403', details: 'test_tools_off', message: 'Test tools are off in production' } }),
  )
  await page.goto('/admin?tab=test-tools')
  const logged = page.waitForEvent('console', (message) => message.type() === 'error' && message.text().includes('test_tools_off') || message.text().includes('AppError'))
  await page.getByRole('button', { name: 'Seed data' }).click()
  await expect(toast(page)).toContainText('Error seeding data')
  await expect(toast(page)).toContainText('Check the console for more details.')
  await logged
  await expect(page.getByRole('alert')).toContainText('Failed to seed data')
  await expect(page.getByRole('alert')).toContainText('Test tools are off in production.')
  await page.getByRole('button', { name: 'Clear test data' }).click()
  await press(page, 'Clear test data')
  await expect(toast(page)).toContainText('Error clearing data')
  await expect(dialog(page)).toContainText('Test tools are off in production.')
})

test('S-54 S-55: in production the tabs say why the tools are off', once, async ({ page, person }) => {
  await setAdmin(person)
  await page.route('**/rest/v1/rpc/admin_test_tools*', (route) =>
    route.fulfill({ json: { is_on: false, profiles: 1, businesses: 0, reviews: 0, bookings: 0, reports: 0 } }),
  )
  for (const tab of ['test-tools', 'test-users']) {
    await page.goto(`/admin?tab=${tab}`)
    await expect(page.getByText('Test tools are off', { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: /Seed data|Clear|Create test/ })).toHaveCount(0)
  }
})

test('ADMIN-TEST-08 ADMIN-TEST-09 SEED-03 S-55 ERR-53: test users are created, and logged in as', once, async ({
  page,
  person,
  checkAccessibility,
}) => {
  await setAdmin(person)
  await page.goto('/admin?tab=test-users')
  await expect(page.getByText('There are no test users yet')).toBeVisible()
  await page.getByRole('button', { name: 'Create test users' }).click()
  await expect(toast(page)).toContainText('Test users created')
  await page.getByRole('button', { name: 'Create test scenario' }).click()
  await expect(toast(page)).toContainText('Test scenario created')
  await expect(rowsOf(page)).toHaveCount(5)
  for (const [index, [name, role]] of [['Test Admin', 'Admin'], ['Test Seller', 'Seller'], ['Scenario Seller', 'Seller'], ['Test Buyer', 'Buyer'], ['Scenario Buyer', 'Buyer']].entries()) {
    await expect(rowsOf(page).nth(index)).toContainText(name ?? '')
    await expect(rowsOf(page).nth(index)).toContainText(role ?? '')
  }
  await checkAccessibility()
  await expectNoOverflow(page)
  // The same list in the test tools.
  await page.goto('/admin?tab=test-tools')
  await page.getByRole('tablist', { name: 'Parts of the test tools' }).getByRole('tab', { name: 'Test Users' }).click()
  await expect(page).toHaveURL('/admin?tab=test-tools&view=users')
  await expect(rowsOf(page)).toHaveCount(5)

  // A refusal leaves the admin signed in.
  await page.route('**/functions/v1/log-in-as-test-user', (route) => route.fulfill({ status: 403, json: { code: 'not_admin', message: 'No' } }))
  await page.getByRole('button', { name: 'Log in as Scenario Seller' }).click()
  await press(page, 'Log in as')
  await expect(toast(page)).toContainText('Login failed')
  await expect(toast(page)).toContainText('Failed to login as test user')
  await expect(page).toHaveURL('/admin?tab=test-tools&view=users')
  await page.unroute('**/functions/v1/log-in-as-test-user')

  await page.getByRole('button', { name: 'Log in as Scenario Seller' }).click()
  await expect(dialog(page)).toContainText('You are signed out of your own account first')
  await checkAccessibility()
  await press(page, 'Log in as')
  await expect(toast(page)).toContainText('Logged in as Scenario Seller')
  await expect(page).toHaveURL('/')
  await page.goto('/my-businesses')
  await expect(page.getByText('Barbería de Prueba').first()).toBeVisible()
  // A seller is no admin, and the admin's session has ended.
  await page.goto('/admin?tab=test-tools')
  await expect(page.getByText('Access denied: User does not have admin privileges')).toBeVisible()
  const { error } = await person.client.auth.refreshSession()
  expect(error).not.toBeNull()
})

test('ERR-53: a test user that cannot be created is told', once, async ({ page, person }) => {
  await setAdmin(person)
  await page.route('**/rest/v1/rpc/admin_create_*', (route) => route.fulfill({ status: 500, json: { message: 'no' } }))
  await page.goto('/admin?tab=test-users')
  await page.getByRole('button', { name: 'Create test users' }).click()
  await expect(toast(page)).toContainText('Error creating test users')
  await page.getByRole('button', { name: 'Create test scenario' }).click()
  await expect(toast(page)).toContainText('Error creating test scenario')
})

test('ADMIN-REPORT-06 ADMIN-REPORT-07 ADMIN-REPORT-08 ERR-51: an empty list offers sample reports', once, async ({
  page,
  person,
  checkAccessibility,
}) => {
  await setAdmin(person)
  await page.goto('/admin?tab=reports&q=nothing-is-called-like-this')
  await expect(page.getByText('No reports found')).toBeVisible()
  const only = page.getByRole('button', { name: 'Create sample reports only' })
  await expect(only).toHaveCount(0)

  // The database has reports: only this list is empty, and the server refuses.
  await page.route('**/rest/v1/reports_with_entity*', (route) =>
    route.fulfill({ json: [], headers: { 'content-range': '*/0' } }),
  )
  await page.goto('/admin?tab=reports')
  await only.click()
  await expect(toast(page)).toContainText('Cannot create sample data')
  await expect(toast(page)).toContainText('Sample data already exists')
  await page.getByRole('button', { name: 'Create a complete sample dataset' }).click()
  await expect(toast(page)).toContainText('Sample data already exists')
  await checkAccessibility()
  for (const [code, title, text] of [
    ['no_users', 'Cannot create sample data', 'No users found in the database.'],
    ['no_businesses', 'Cannot create sample data', 'No businesses found in the database.'],
    ['57014', 'Error creating sample data', ''],
  ] as const) {
    await page.route('**/rest/v1/rpc/admin_create_sample_reports', (route) =>
      route.fulfill({ status: 422, json: { code: 'PT422', details: code, message: code } }),
    )
    await only.click()
    await expect(toast(page)).toContainText(title)
    await expect(toast(page)).toContainText(text)
    await page.unroute('**/rest/v1/rpc/admin_create_sample_reports')
  }
})

test('PERM-17 S-54 S-55: others cannot use the tools, also not by the API', once, async () => {
  const { client, id } = await newPerson()
  for (const [name, args] of [
    ['admin_test_tools', {}],
    ['admin_test_users', {}],
    ['admin_seed_test_data', { p_intensity: 'minimal' }],
    ['admin_clear_test_data', { p_with_profiles: true }],
    ['admin_clear_all_data', { p_phrase: 'DELETE ALL DATA' }],
    ['admin_create_sample_reports', { p_complete: true }],
    ['admin_create_test_users', {}],
    ['admin_create_test_scenario', {}],
    ['admin_log_in_as', { p_user_id: id }],
  ] as const) {
    const { error } = await client.rpc(name, args)
    expect(error?.details, name).toBe('not_admin')
  }
  const { error } = await client.functions.invoke('log-in-as-test-user', { body: { user: id } })
  expect(error?.context.status).toBe(403)
})
