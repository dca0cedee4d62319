import { service, tabTo } from './accounts'
import { expectNoOverflow, find, setAdmin, newUsers, newWord, rowsOf } from './admins'
import { enter, expect, hold, newPerson, once, test } from './fixtures'
import { toast } from './photo-page'

test('ADMIN-USERS-01 ADMIN-USERS-02 C-02 C-03 PERM-14 S-15: the panel is for admins, asked each time', async ({
  page,
}) => {
  await page.goto('/admin?tab=users')
  await expect(page).toHaveURL('/auth')

  const person = await newPerson()
  await enter(page, person)
  await page.goto('/admin')
  await expect(page).toHaveURL('/')
  await expect(toast(page)).toContainText('Access denied: User does not have admin privileges')

  await setAdmin(person)
  const answer = await hold(page, '**/rest/v1/profiles?*')
  await page.goto('/admin', { waitUntil: 'commit' })
  await expect(page.getByText('Verifying admin access...')).toBeVisible()
  answer()
  await expect(page.getByRole('heading', { name: 'Businesses' })).toBeVisible()
  await expect(rowsOf(page).first()).toBeVisible()

  // Another admin removes the role: the next request is refused, and the panel is left.
  await setAdmin(person, 'user')
  await page.getByRole('tab', { name: 'Users', exact: true }).click()
  await expect(page).toHaveURL('/')
  await expect(toast(page)).toContainText('Access denied: User does not have admin privileges')
})

test('ADMIN-USERS-03 ERR-63: a profile that cannot be loaded is reported and can be retried', once, async ({
  page,
  person,
}) => {
  await setAdmin(person)
  await page.route('**/rest/v1/profiles?*', (route) => route.fulfill({ status: 400 }))
  await page.goto('/admin')
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('Access denied: Profile error: ')
  await page.unroute('**/rest/v1/profiles?*')
  await alert.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByRole('heading', { name: 'Businesses' })).toBeVisible()
})

test('ADMIN-USERS-05 ADMIN-USERS-06 ADMIN-USERS-07 ROUTE-31 ROUTE-32 ROUTE-34 C-18 C-19: tabs, breadcrumb, addresses', async ({
  page,
  person,
  checkAccessibility,
}, info) => {
  await setAdmin(person)
  await page.goto('/admin/users')
  await expect(page).toHaveURL('/admin?tab=users')
  await page.goto('/admin/dashboard')
  await expect(page).toHaveURL('/admin')
  await expect(page.getByRole('tab')).toHaveText([
    'Businesses',
    'Users',
    'Categories',
    'Locations',
    'URL Migration',
    'Import',
    /^Claim Requests(\d+ waiting)?$/,
    /^Seller Applications(\d+ waiting)?$/,
    /^Reports(\d+ waiting)?$/,
    'Audit Logs',
    'Data Integrity',
    'Database Schema',
    'Test Users',
    'Test Tools',
    'Business Metrics',
    /^Support(\d+ waiting)?$/,
  ])
  await expect(page.getByRole('tab', { selected: true })).toHaveText('Businesses')
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' })
  await expect(crumbs).toHaveText(/HomeAdminBusinesses/)

  // By keyboard: a column on the left on wide screens, a row of tabs on phones.
  await page.getByRole('tab', { name: 'Businesses' }).focus()
  for (const name of ['Users', 'Categories', 'Locations']) {
    await page.keyboard.press(info.project.name === 'phone' ? 'ArrowRight' : 'ArrowDown')
    await expect(page.getByRole('tab', { name, selected: true })).toBeFocused()
    await expect(page).toHaveURL(`/admin?tab=${name.toLowerCase()}`)
    await expect(crumbs).toHaveText(new RegExp(`HomeAdmin${name}`))
    await expect(rowsOf(page).first()).toBeVisible()
    await expectNoOverflow(page)
  }
  await page.goBack()
  await expect(page.getByRole('tab', { name: 'Categories', selected: true })).toBeVisible()
  await page.emulateMedia({ colorScheme: 'dark' })
  await crumbs.getByRole('link', { name: 'Admin' }).click()
  await expect(rowsOf(page).first()).toBeVisible()
  await expectNoOverflow(page)
  await checkAccessibility()
  await page.goto('/admin?tab=no-such')
  await expect(page.getByRole('tab', { name: 'Businesses', selected: true })).toBeVisible()
})

test('ADMIN-USERS-08 ADMIN-USERS-09 ADMIN-USERS-10 ADMIN-USERS-11 ADMIN-USERS-13 PERM-02 RULE-28 ERR-59: users are found, chosen over pages, and get a role', async ({
  page,
  person,
  checkAccessibility,
}) => {
  await setAdmin(person)
  const word = newWord()
  const ids = await newUsers(word, 22)
  await page.goto('/admin?tab=users')
  await find(page, word, 20)
  await expect(page.getByText('1 to 20 of 22')).toBeVisible()
  const dialog = page.getByRole('dialog')
  const bar = page.getByRole('region', { name: /selected$/ })

  // Selected on two pages: both are named and stay selected.
  await page.getByRole('checkbox', { name: `Select ${word} 22`, exact: true }).check()
  await page.getByRole('link', { name: 'Page 2', exact: true }).click()
  await expect(rowsOf(page)).toHaveCount(2)
  const all = page.getByRole('checkbox', { name: 'Select all on this page' })
  await all.check()
  await expect(bar).toContainText('3 selected, 1 not on this page')
  await checkAccessibility()
  await all.uncheck()
  await expect(bar).toContainText('1 selected, 1 not on this page')
  await all.check()
  await bar.getByRole('button', { name: 'Change role' }).click()
  await expect(dialog).toContainText(`Change the role of 3 users?`)
  for (const number of ['22', '02', '01']) await expect(dialog).toContainText(`${word} ${number}`)
  await dialog.getByRole('button', { name: 'Change role' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Choose a role')
  await dialog.getByRole('radio', { name: /^Seller/ }).check()
  await checkAccessibility()
  await dialog.getByRole('button', { name: 'Change to Seller' }).click()
  await expect(toast(page)).toContainText('User roles updated')
  await expect(bar).toBeHidden()
  await expect(rowsOf(page).filter({ hasText: 'Seller' })).toHaveCount(2)

  // A single one, by keyboard; the focus returns.
  const role = page.getByLabel('Role', { exact: true })
  await expect(role.getByRole('option')).toHaveText(['All roles', 'Buyer', 'Seller', 'Admin'])
  await role.selectOption('Seller')
  await expect(page).toHaveURL(`/admin?tab=users&q=${word}&role=owner`)
  await expect(rowsOf(page)).toHaveCount(3)
  const change = rowsOf(page).first().getByRole('button', { name: 'Change role' })
  await tabTo(page, change)
  await page.keyboard.press('Enter')
  await tabTo(page, dialog.getByRole('radio').first())
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(toast(page)).toContainText('Role updated')
  await expect(rowsOf(page)).toHaveCount(2)
  const { data } = await service().from('profiles').select('role').in('id', ids)
  const count = (role: string) => data?.filter((row) => row.role === role).length
  expect([count('owner'), count('admin'), count('user')]).toEqual([2, 1, 19])

  await page.getByRole('tabpanel').getByRole('textbox').fill(`${word} nobody`)
  await expect(page.getByText('No users found matching your criteria')).toBeVisible()
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(page).toHaveURL('/admin?tab=users')
  // The own account is marked, and can be neither selected nor changed here.
  const { data: own } = await service()
    .from('profiles')
    .select('display_id')
    .eq('id', person.id)
    .single()
  await find(page, own?.display_id ?? '', 1)
  await expect(rowsOf(page)).toContainText(['Ona VidalYou'])
  await expect(rowsOf(page)).toContainText(['Admin'])
  await expect(rowsOf(page).getByRole('button')).toHaveCount(0)
  await expect(rowsOf(page).getByRole('checkbox')).toHaveCount(0)
})

test('ADMIN-USERS-12 C-17 RULE-28 ERR-58 ERR-59: accounts are deleted permanently, and failures are reported', once, async ({
  page,
  person,
  checkAccessibility,
}) => {
  await setAdmin(person)
  const word = newWord()
  const ids = await newUsers(word, 4)
  await page.goto(`/admin?tab=users&q=${word}&sort=name`)
  const dialog = page.getByRole('dialog')
  await expect(rowsOf(page)).toHaveCount(4)
  const remove = rowsOf(page).first().getByRole('button', { name: 'Delete' })
  await remove.click()
  await expect(dialog.getByRole('heading', { name: `Delete ${word} 01?` })).toBeVisible()
  await expect(dialog).toContainText('Businesses that lose their owner: 0')
  await expect(dialog).toContainText('This action cannot be undone.')
  await checkAccessibility()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(remove).toBeFocused()

  // A failure changes nothing, is shown in its place, and can be retried.
  await remove.click()
  await page.route('**/rpc/admin_delete_user', (route) => route.abort())
  await dialog.getByRole('button', { name: 'Delete user' }).click()
  await expect(dialog.getByRole('alert')).toContainText('User not deleted')
  await expect(dialog.getByRole('alert')).toContainText('Plaza cannot be reached')
  await page.unroute('**/rpc/admin_delete_user')
  await dialog.getByRole('button', { name: 'Delete user' }).click()
  await expect(toast(page)).toContainText('User deleted')
  await expect(rowsOf(page)).toHaveCount(3)
  await expect(page.getByText('1 to 3 of 3')).toBeFocused()

  // Another admin is faster with one of the remaining users: the bulk action processes the others
  // and reports that.
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  const bar = page.getByRole('region', { name: '3 selected' })
  await bar.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog).toContainText('Delete 3 users?')
  const { error } = await service().auth.admin.deleteUser(ids[2] ?? '')
  expect(error).toBeNull()
  await dialog.getByRole('button', { name: 'Delete 3 users' }).click()
  const report = page.getByRole('status').filter({ hasText: '2 of 3 done' })
  await expect(report).toContainText('1 had been deleted already.')
  await expect(page.getByText('No users found matching your criteria')).toBeVisible()
  await report.getByRole('button', { name: 'Close' }).click()
  await expect(report).toBeHidden()
  for (const id of ids) {
    expect((await service().auth.admin.getUserById(id)).error?.status).toBe(404)
  }
})
