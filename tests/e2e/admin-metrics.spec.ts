import type { Page } from '@playwright/test'
import { service, tabTo } from './accounts'
import {
  expectNoOverflow,
  find,
  type Listing,
  newListings,
  newWord,
  rowsOf,
  setAdmin,
} from './admins'
import { expect, test, todayIn } from './fixtures'

// Metrics of all businesses.

const today = () => todayIn('Europe/Madrid')

/** Businesses with figures of today, the first with the highest; no others have as many. */
async function newMeasured(word: string, count: number): Promise<Listing[]> {
  const shops = await newListings(word, count)
  const { error } = await service()
    .from('business_metrics')
    .insert(
      shops.map(({ id }, index) => ({
        business_id: id,
        metric_date: today(),
        num_total_page_views: 9_000_000 - index,
        online_bookings: 900_000 - index,
        rating: 4.5,
      })),
    )
  if (error) throw error
  return shops
}

async function remove(shops: readonly Listing[]): Promise<void> {
  await service()
    .from('businesses')
    .delete()
    .in(
      'id',
      shops.map(({ id }) => id),
    )
}

test('ADMIN-METRICS-01 ADMIN-METRICS-04 ADMIN-METRICS-05 ADMIN-METRICS-06: businesses are searched and sorted, and one is opened', async ({
  page,
  person,
  checkAccessibility,
}) => {
  await setAdmin(person)
  const word = newWord()
  const shops = await newMeasured(word, 3)
  const [first, second] = shops
  await service().from('businesses').update({ owner_id: person.id }).eq('id', first?.id)
  // Older figures are not the newest.
  await service()
    .from('business_metrics')
    .insert({ business_id: first?.id, metric_date: '2026-01-05', num_total_page_views: 7 })
  await page.goto('/admin?tab=metrics')
  await find(page, word, 3)
  const row = (shop: Listing | undefined) => rowsOf(page).filter({ hasText: shop?.name ?? '' })
  await expect(row(first)).toContainText('9,000,000')
  await expect(row(first)).toContainText('900,000')
  await expect(row(first)).toContainText('4.5')
  await checkAccessibility()
  await expectNoOverflow(page)
  await page.goto(`/admin?tab=metrics&q=${word}&sort=num_total_page_views`)
  await expect(rowsOf(page)).toHaveCount(3)
  await expect(rowsOf(page).first()).toContainText(shops[2]?.name ?? '')

  const open = row(first).getByRole('button', { name: first?.name ?? '' })
  await tabTo(page, open)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(
    `/admin?tab=metrics&q=${word}&sort=num_total_page_views&row=${first?.id}`,
  )
  await expect(page.getByRole('heading', { name: first?.name ?? '' })).toBeVisible()
  await expect(page.getByText(`Owner: Ona Vidal`)).toBeVisible()
  await expect(page.getByRole('definition').filter({ hasText: '9,000,000' }).first()).toBeVisible()
  await checkAccessibility()
  await expectNoOverflow(page)
  await page.getByRole('tab', { name: 'Engagement' }).click()
  await page.getByText('7 days', { exact: true }).click()
  await expect(page).toHaveURL(
    `/admin?tab=metrics&q=${word}&sort=num_total_page_views&row=${first?.id}&view=engagement&days=7`,
  )
  await page.getByRole('link', { name: 'Back to all businesses' }).click()
  await expect(rowsOf(page)).toHaveCount(3)
  await expect(row(second)).toContainText('No owner')
  await remove(shops)
  await page.goto(`/admin?tab=metrics&row=${first?.id}`)
  await expect(page.getByText('This business no longer exists')).toBeVisible()
})

test('ADMIN-METRICS-02 ADMIN-METRICS-03: sub-tabs are in the address; the best five are listed by each metric', async ({
  page,
  person,
  checkAccessibility,
}) => {
  await setAdmin(person)
  const word = newWord()
  const shops = await newMeasured(word, 6)
  const list = (name: string) => page.getByRole('region', { name })
  await page.goto('/admin?tab=metrics')
  await expect(page.getByRole('tab', { name: 'Overview' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.locator('dl[aria-label="Figures"]')).toContainText('Page views')
  await page.getByText('90 days', { exact: true }).click()
  await expect(page).toHaveURL('/admin?tab=metrics&days=90')
  await expect(page.getByText('Compared with the 90 days before')).toBeVisible()

  await page.getByRole('tab', { name: 'Top Performers' }).click()
  await expect(page).toHaveURL('/admin?tab=metrics&part=top&days=90')
  for (const name of ['Page views', 'Online bookings']) {
    await expect(list(name).getByRole('listitem')).toHaveCount(5)
    // In parallel, another run of this test may have as high figures.
    await expect(list(name).getByRole('listitem').first()).toContainText(/9,000,000|900,000/)
  }
  for (const name of [
    'Search appearances',
    'Total leads',
    'Bookmarks',
    'New reviews',
    'Average rating',
  ]) {
    expect(await list(name).getByRole('listitem').count()).toBeLessThanOrEqual(5)
  }
  await checkAccessibility()
  await expectNoOverflow(page)
  await page.getByText('Three months', { exact: true }).click()
  await expect(page).toHaveURL('/admin?tab=metrics&part=top&days=90&months=three')
  // Not simply the first: another test may remove its business meanwhile.
  await list('Page views')
    .getByRole('button', { name: shops[0]?.name ?? '' })
    .click()
  await expect(page.getByRole('definition').filter({ hasText: '9,000,000' }).first()).toBeVisible()
  await page.goBack()
  await expect(list('Page views')).toBeVisible()

  await page.getByRole('tab', { name: 'Analytics' }).click()
  const chart = page.getByRole('figure', { name: 'Page views' })
  await expect(chart).toBeVisible()
  await chart.getByText('Show as a table').click()
  await expect(chart.getByRole('row')).toHaveCount(91)
  await checkAccessibility()
  await expectNoOverflow(page)
  await remove(shops)
})
