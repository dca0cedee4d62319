import { setAdmin } from './admins'
import { expect, test } from './fixtures'

test('ADMIN-USERS-04 ROUTE-35 S-56 CONST-06: the debug console shows server, session and failures, and no token', async ({
  page,
  person,
  checkAccessibility,
}) => {
  await setAdmin(person)
  await page.goto('/admin')
  // Something fails before the console is opened.
  await page.route('**/rest/v1/rpc/admin_audit_totals*', (route) =>
    route.fulfill({ status: 500, json: { code: 'XX000', message: 'the log is broken' } }),
  )
  await page.getByRole('tab', { name: 'Audit Logs' }).click()
  await expect(page.getByText('The totals could not be loaded')).toBeVisible()
  await page.getByRole('link', { name: 'Debug Console' }).click()
  await expect(page).toHaveURL('/debug-admin')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Debug Console')
  for (const part of ['Server process', 'Database connection', 'Data API', 'Auth', 'Storage']) {
    await expect(page.getByText(part, { exact: true }).and(page.locator(':visible'))).toBeVisible()
  }
  await expect(page.getByText('Answers', { exact: true }).and(page.locator(':visible'))).toHaveCount(5)
  await expect(page.getByText(person.id)).toBeVisible()
  await expect(page.getByText('the log is broken').and(page.locator(':visible'))).toBeVisible()
  await checkAccessibility()
  const session = await page.evaluate(() => JSON.parse(localStorage.getItem('plaza.auth') ?? '{}'))
  const content = await page.content()
  expect(session.access_token).toMatch(/^eyJ/)
  expect(content).not.toContain(session.access_token)
  expect(content).not.toContain(session.refresh_token)

  // A part that does not answer is told, and told again when it is back.
  await page.route('**/storage/v1/status', (route) => route.abort())
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText('No answer').and(page.locator(':visible'))).toBeVisible()
  await page.unroute('**/storage/v1/status')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText('No answer')).toHaveCount(0)
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect(page.getByText('None since this page was opened.')).toBeVisible()
})

test('PERM-14: nobody but admins opens the debug console', async ({ page, person: _ }) => {
  await page.goto('/debug-admin')
  await expect(page).toHaveURL('/')
  await expect(page.getByText('User does not have admin privileges')).toBeVisible()
})
