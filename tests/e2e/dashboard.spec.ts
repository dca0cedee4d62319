import { service } from './accounts'
import { setAdmin } from './admins'
import { bookNewSalon } from './bookable-shops'
import { expect, once, type Person, runUntilVisible, test } from './fixtures'
import { makeSeller, shopOf } from './owners'

const longName = 'Perruqueria i Estètica Mare de Déu de Meritxell i Sant Julià'

/** Creates notifications for a person, the last one newest. */
async function notify({ id }: Person, count: number) {
  const rows = Array.from({ length: count }, (_, index) => ({
    user_id: id,
    type: 'other',
    title: `News ${index + 1}`,
    content: 'Something happened.',
    created_at: new Date(Date.now() - (count - index) * 60_000).toISOString(),
  }))
  const { error } = await service().from('notifications').insert(rows)
  if (error) throw error
}

/** Adds businesses called 'Word 1' … to a person's favourites, the last one newest. */
async function addFavorites({ id }: Person, count: number): Promise<string[]> {
  const word = `Cafè ${crypto.randomUUID().slice(0, 8)}`
  const { data, error } = await service()
    .from('businesses')
    .insert(
      Array.from({ length: count }, (_, index) => ({
        name: `${word} ${index + 1}`,
        type: 'Cafès',
        location: 'Canillo, Andorra',
      })),
    )
    .select('id, name')
  if (error) throw error
  const newest = Date.now()
  const { error: refused } = await service()
    .from('favorites')
    .insert(
      data.map((business, index) => ({
        user_id: id,
        business_id: business.id,
        created_at: new Date(newest - (count - index) * 1000).toISOString(),
      })),
    )
  if (refused) throw refused
  return data.map(({ name }) => name)
}

test('DASH-03 PERM-04 ERR-38: a visitor is sent to sign-in, also from the application', once, async ({
  page,
}) => {
  for (const address of ['/dashboard', '/become-seller']) {
    await page.goto(address)
    await expect(page).toHaveURL('/auth')
    await expect(page.getByText('Authentication required').first()).toBeVisible()
  }
})

test('ROUTE-21 DASH-01 DASH-02 DASH-04 DASH-05 DASH-06 NAV-04: a new customer has three tabs and nothing yet', async ({
  page,
  person,
  checkAccessibility,
}) => {
  expect(person.id).not.toBe('')
  await page.goto('/')
  await page.getByRole('button', { name: 'Account of Ona Vidal' }).click()
  await page.getByRole('menuitem', { name: 'Dashboard', exact: true }).click()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  await expect(page.getByText('Welcome back, Ona Vidal')).toBeVisible()
  await expect(page.getByRole('tab')).toHaveText(['Overview', 'Bookings0', 'Favorites0'])
  await expect(page.getByText('No notifications yet')).toBeVisible()
  await expect(page.getByText('No upcoming bookings')).toBeVisible()
  await expect(page.getByRole('link', { name: 'View All Notifications' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Apply Now' })).toHaveAttribute(
    'href',
    '/become-seller',
  )
  await expect(page.getByRole('heading', { name: 'No favorites yet' })).toBeVisible()
  await checkAccessibility()
})

test('DASH-04 DASH-05 DASH-07 CONST-13: the newest three notifications, the next bookings, and the way to all', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const { business } = await bookNewSalon(person, 20)
  await service().from('notifications').delete().eq('user_id', person.id)
  await notify(person, 3)
  await page.goto('/dashboard')
  const news = page.getByRole('region', { name: 'Notifications' }).getByRole('article')
  await expect(news).toHaveCount(3)
  await expect(page.getByRole('link', { name: 'View All Notifications' })).toHaveCount(0)
  await notify(person, 4)
  await page.reload()
  await expect(news).toHaveCount(3)
  await expect(page.getByRole('link', { name: 'View All Notifications' })).toHaveAttribute(
    'href',
    '/notifications',
  )
  const upcoming = page.getByRole('region', { name: 'Upcoming Bookings' })
  await expect(upcoming).toContainText(business.name)
  await expect(upcoming).toContainText('Pending')
  await checkAccessibility()
  await upcoming.getByRole('link', { name: 'Manage Bookings' }).click()
  await expect(page).toHaveURL('/dashboard?tab=bookings')
  await expect(page.getByRole('tab', { name: 'Bookings 1' })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await expect(page.getByRole('button', { name: /^Cancel booking/ })).toBeVisible()
  await page.getByRole('tab', { name: 'Past' }).click()
  await expect(page).toHaveURL('/dashboard?tab=bookings&view=past')
  await checkAccessibility()
  await page.goBack()
  await page.goBack()
  await expect(page).toHaveURL('/dashboard')
})

test('DASH-08 FAV-01 FAV-03 FAV-05: favourites are a grid, read page by page, let go and taken back', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const names = await addFavorites(person, 13)
  const newest = names.at(-1) ?? ''
  await page.clock.install()
  await page.goto('/dashboard')
  const cards = page.getByRole('region', { name: 'My Favorites' }).getByRole('article')
  await expect(cards).toHaveCount(3)
  await page.getByRole('link', { name: 'View All Favorites' }).click()
  await expect(page).toHaveURL('/dashboard?tab=favorites')
  await expect(page.getByRole('tab', { name: 'Favorites 13' })).toBeVisible()
  await expect(cards).toHaveCount(12)
  await expect(cards.first()).toContainText(newest)
  await expect(cards.first()).toContainText('Cafès')
  await expect(cards.first()).toContainText('not rated yet')
  await expect(cards.first().getByRole('link', { name: /^View Details/ })).toHaveAttribute(
    'href',
    /^\/business\//,
  )
  await checkAccessibility()
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(cards).toHaveCount(13)

  const toast = page.getByRole('region', { name: 'Message' })
  const undo = toast.getByRole('button', { name: 'Undo' })
  // It is gone after five seconds, in which a slow machine may not press it.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000))
  await page.getByRole('button', { name: `Remove ${newest} from favorites` }).press('Enter')
  await runUntilVisible(page, undo)
  await expect(cards).toHaveCount(12)
  await expect(toast).toContainText('Removed from favorites')
  await expect(toast).toContainText(newest)
  await runUntilVisible(page, page.getByRole('tab', { name: 'Favorites 12' }))
  await undo.click()
  await page.clock.resume()
  await expect(cards.first()).toContainText(newest)
  await expect(page.getByRole('tab', { name: 'Favorites 13' })).toBeVisible()
})

test('ERR-40: a favourite that could not be removed comes back', once, async ({ page, person }) => {
  const [name = ''] = await addFavorites(person, 1)
  await page.route('**/rest/v1/favorites*', (route) =>
    route.request().method() === 'DELETE' ? route.abort() : route.continue(),
  )
  await page.goto('/dashboard?tab=favorites')
  await page.getByRole('button', { name: `Remove ${name} from favorites` }).click()
  await expect(page.getByText('Could not remove from favorites')).toBeVisible()
  await expect(page.getByRole('article', { name })).toBeVisible()
})

test('DASH-02 DASH-09 C-18 C-20: an admin sees the totals, and no seller card', async ({
  page,
  person,
  checkAccessibility,
}) => {
  await setAdmin(person)
  const { count } = await service().from('businesses').select('id', { count: 'exact', head: true })
  await page.goto('/dashboard?tab=admin')
  const card = page.getByRole('region', { name: 'Admin Overview' })
  await expect(card.getByRole('definition')).toHaveCount(3)
  await expect(card).toContainText('Users')
  await expect(card).toContainText('Bookings')
  const shown = await card.getByRole('definition').nth(1).textContent()
  // Other tests create businesses at the same time.
  expect(Number(shown?.replace(',', ''))).toBeGreaterThanOrEqual(Math.min(count ?? 0, 100))
  await checkAccessibility()
  await page.getByRole('tab', { name: 'Overview' }).click()
  await expect(card).toBeVisible()
  await expect(page.getByRole('region', { name: 'Selling on Plaza' })).toHaveCount(0)
  await card.getByRole('link', { name: 'Admin Dashboard' }).click()
  await expect(page).toHaveURL('/admin')
})

test('DASH-10 DASH-11 DASH-12 DASH-13 C-20: an owner has a tab for each business', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const first = await shopOf(person, longName)
  await service().from('businesses').update({ owner_id: null }).eq('id', first.id)
  await page.goto('/dashboard')
  await page.getByRole('tab', { name: 'My Businesses' }).click()
  await expect(page).toHaveURL('/dashboard?tab=businesses')
  await expect(
    page.getByRole('heading', { name: "You don't have any businesses yet" }),
  ).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create Business' })).toHaveAttribute(
    'href',
    '/business/new',
  )
  await checkAccessibility()

  await service().from('businesses').update({ owner_id: person.id }).eq('id', first.id)
  const second = await shopOf(person, 'Forn del Roc')
  await page.reload()
  const tabs = page.getByRole('tablist', { name: 'Your businesses' }).getByRole('tab')
  await expect(tabs).toHaveText([second.name, longName])
  await expect(page.getByRole('link', { name: 'Add Business' })).toHaveAttribute(
    'href',
    '/business/new',
  )
  const edit = page.getByRole('link', { name: 'Edit Business' })
  await expect(edit).toHaveAttribute('href', `/business/edit/${second.id}`)
  await tabs.nth(1).click()
  await expect(page).toHaveURL(new RegExp(`business=${first.id}`))
  await expect(edit).toHaveAttribute('href', `/business/edit/${first.id}`)
  await expect(page.getByText('Upcoming bookings')).toBeVisible()
  await expect(
    page.getByRole('tablist', { name: 'Parts of the business' }).getByRole('tab'),
  ).toHaveText(['Business Metrics', 'Analytics', 'Availability', 'Reviews'])
  await checkAccessibility()
  await page.getByRole('tab', { name: 'Overview' }).click()
  await expect(page.getByRole('heading', { name: 'My Favorites' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Selling on Plaza' })).toHaveCount(0)
})

test('a customer who opens the URL of an owners’ tab gets the first tab', once, async ({ page, person }) => {
  expect(person.id).not.toBe('')
  await page.goto('/dashboard?tab=businesses')
  await expect(page.getByRole('tab', { name: 'Overview' })).toHaveAttribute('aria-selected', 'true')
})

test('NAV-07: every link of the footer leads to a page', once, async ({ page }) => {
  await page.goto('/about')
  const links = page.getByRole('contentinfo').getByRole('link')
  await expect(links.first()).toBeVisible()
  const hrefs = await links.evaluateAll((links) =>
    links.map((link) => link.getAttribute('href') ?? ''),
  )
  expect(hrefs).toContain('/become-seller')
  for (const href of new Set(hrefs)) {
    await page.goto(href)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByText('Page not found')).toHaveCount(0)
  }
})

test('ERR-45: counts and lists that cannot be read are zero and empty, and the failure is logged', once, async ({
  page,
  person,
}) => {
  await makeSeller(person)
  const logged: string[] = []
  page.on('console', (entry) => {
    if (entry.type() === 'error') logged.push(entry.text())
  })
  for (const table of ['bookings', 'favorites', 'businesses']) {
    await page.route(`**/rest/v1/${table}*`, (route) =>
      route.fulfill({ status: 400, json: { code: '22000', message: `no ${table}` } }),
    )
  }
  await page.goto('/dashboard?tab=businesses')
  await expect(page.getByRole('tab', { name: 'Bookings 0' })).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Favorites 0' })).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('Could not fetch your businesses')
  await page.getByRole('tab', { name: 'Favorites 0' }).click()
  await expect(page.getByRole('alert')).toContainText('Your favorites could not be loaded')
  await expect(page.getByRole('article')).toHaveCount(0)
  for (const table of ['favorites', 'businesses']) {
    await expect.poll(() => logged.some((text) => text.includes(`no ${table}`))).toBe(true)
  }
})
