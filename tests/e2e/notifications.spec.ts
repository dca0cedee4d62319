import { service } from './accounts'
import { expect, once, type Person, runUntilVisible, test } from './fixtures'

async function notify(person: Person, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => ({
    user_id: person.id,
    type: index % 2 === 0 ? 'booking' : 'message',
    title: `Notice ${index + 1}`,
    content: 'Something happened.',
    link: '/bookings',
    created_at: new Date(Date.now() + index * 1000).toISOString(),
  }))
  const { error } = await service().from('notifications').insert(rows)
  if (error) throw error
}

const unread = async (person: Person) =>
  (await person.client.from('notifications').select('id').eq('read', false)).data?.length

test('NAV-01 NOTIF-03: the bell counts and opens, and a followed notification is marked read', async ({
  page,
  person,
  checkAccessibility,
}) => {
  await notify(person, 12)
  const before = (await unread(person)) ?? 0
  await page.goto('/about')
  const bell = page.getByRole('button', { name: `Notifications, ${before} unread` })
  await expect(bell).toContainText('9+')
  await bell.click()
  const panel = page.getByRole('dialog', { name: 'Notifications' })
  await expect(panel.getByRole('article')).toHaveCount(5)
  await expect(panel.getByRole('heading', { level: 3 }).first()).toContainText('Notice 12')
  await checkAccessibility()
  await panel.getByRole('link', { name: 'Notice 12' }).click()
  await expect(page).toHaveURL('/bookings')
  await expect.poll(() => unread(person)).toBe(before - 1)
  await expect(
    page.getByRole('button', { name: `Notifications, ${before - 1} unread` }),
  ).toBeVisible()
})

test('UI-04 CONST-18 NOTIF-03: arriving notifications are shown, three at a time, with links', async ({
  page,
  person,
  checkAccessibility,
}) => {
  await page.emulateMedia({ colorScheme: test.info().project.name === 'phone' ? 'dark' : 'light' })
  await page.clock.install()
  const counted = () =>
    page.waitForResponse((answer) => answer.url().includes('/notifications?select=id&'))
  const first = counted()
  await page.goto('/about')
  await first
  await expect(page.getByRole('button', { name: /^Notifications/ })).toBeVisible()
  // They are gone after four seconds, in which a slow machine may not look at them or press a button.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000))
  await notify(person, 4)
  const shown = page
    .getByRole('region', { name: /^Notifications/ })
    .getByRole('listitem')
    .and(page.locator('[data-visible=true]'))
  await runUntilVisible(page, shown.first().filter({ hasText: 'Notice 4' }))
  await expect(shown).toHaveCount(3)
  await page.clock.resume()
  await checkAccessibility()
  await page.clock.fastForward(4_000)
  await expect(shown).toHaveCount(0)
  const before = (await unread(person)) ?? 0
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000))
  await notify(person, 1)
  const button = shown.getByRole('button', { name: 'Open' })
  await runUntilVisible(page, button)
  await button.click()
  await page.clock.resume()
  await expect(page).toHaveURL('/bookings')
  await expect.poll(() => unread(person)).toBe(before)
})

test('ROUTE-24 NOTIF-02 NOTIF-03 NOTIF-04 ERR-23: newest first, one read, all read', async ({
  page,
  person,
  checkAccessibility,
}) => {
  await notify(person, 25)
  const before = (await unread(person)) ?? 0
  await page.goto('/notifications')
  const items = page.getByRole('main').getByRole('article')
  await expect(items).toHaveCount(20)
  await expect(items.first()).toContainText('Notice 25')
  await checkAccessibility()
  await page.getByRole('button', { name: 'Mark as read: Notice 25' }).click()
  await expect(items.first()).not.toContainText('Unread')
  await expect.poll(() => unread(person)).toBe(before - 1)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(items).toHaveCount(before)
  await expect(page.getByRole('button', { name: 'Show more' })).toBeHidden()

  await page.getByRole('main').getByRole('button', { name: 'Mark all as read' }).click()
  await expect(page.getByLabel('Message')).toContainText('All notifications marked as read')
  await expect.poll(() => unread(person)).toBe(0)
  await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible()
})

test('ERR-23: a mark that fails is taken back', once, async ({ page, person }) => {
  await notify(person, 1)
  await page.route('**/rest/v1/notifications*', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  )
  await page.goto('/notifications')
  await page.getByRole('button', { name: 'Mark as read: Notice 1' }).click()
  await expect(page.getByLabel('Message')).toContainText('Could not update notification status')
  await expect(page.getByRole('main').getByRole('article').first()).toContainText('Unread')
})

test('NOTIF-02: none yet is a tile, a sentence and the way to a business', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const { error } = await service().from('notifications').delete().eq('user_id', person.id)
  expect(error).toBeNull()
  await page.goto('/notifications')
  await expect(page.getByRole('heading', { name: 'No notifications yet' })).toBeVisible()
  await checkAccessibility()
})
