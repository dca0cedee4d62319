import { tabTo } from './accounts'
import { expectNoOverflow, rowsOf, setAdmin } from './admins'
import { expect, once, test } from './fixtures'

test('C-19 ADMIN-USERS-07: Database Schema lists tables, sizes and policies, and what the doctor finds', async ({
  page,
  person,
  checkAccessibility,
}) => {
  await setAdmin(person)
  await page.goto('/admin?tab=schema')
  const bookings = rowsOf(page).filter({ has: page.getByText('bookings', { exact: true }) })
  await expect(bookings).toContainText(/Table.*\d (KB|MB).*On/s)
  await expect(page.getByText('Nothing found: no table is exposed')).toBeVisible()
  await checkAccessibility()
  await expectNoOverflow(page)
  const view = bookings.getByRole('button', { name: 'View Details' })
  await view.focus()
  await tabTo(page, view)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('cell', { name: 'booking_date' })).toBeVisible()
  await expect(dialog.getByRole('heading', { name: /^bookings_select/ }).first()).toBeVisible()
  await checkAccessibility()
  await page.keyboard.press('Escape')
  await expect(view).toBeFocused()

  // A finding is shown with its remedy.
  await page.route('**/functions/v1/database-doctor', (route) =>
    route.fulfill({
      json: {
        findings: [
          { code: 'rls_disabled', subject: 'public.notes', problem: 'anybody reads it', remedy: 'alter table notes enable row level security' },
        ],
      },
    }),
  )
  await page.reload()
  await expect(page.getByText('anybody reads it')).toBeVisible()
  await expect(page.getByText('alter table notes enable row level security')).toBeVisible()
})

test('C-19 PERM-14: nobody but admins reads the schema or asks the doctor', once, async ({ page, person: _ }) => {
  await page.goto('/about')
  const answers = await page.evaluate(async () => {
    const session = JSON.parse(localStorage.getItem('plaza.auth') ?? '{}')
    const headers = { authorization: `Bearer ${session.access_token}` }
    const asked = [
      await fetch('/rest/v1/rpc/admin_schema', { headers }),
      await fetch('/functions/v1/database-doctor', { method: 'POST', headers }),
    ]
    return Promise.all(asked.map(async (answer) => [answer.status, (await answer.json()).message]))
  })
  const refused = [403, 'User does not have admin privileges']
  expect(answers).toEqual([refused, refused])
})
