import type { Page } from '@playwright/test'
import { service, tabTo } from './accounts'
import { expectNoOverflow, find, type Listing, newListings, newWord, rowsOf, setAdmin } from './admins'
import { expect, once, test } from './fixtures'
import { toast } from './photo-page'

// The checks of the data. What constraints make impossible is tested in tests/rls.

const dialog = (page: Page) => page.getByRole('dialog')
const results = (page: Page) => page.getByRole('list', { name: 'Results' }).locator(':scope > li')
const card = (page: Page, name: string) => results(page).filter({ has: page.getByRole('heading', { name }) })
const press = (page: Page, name: string) => dialog(page).getByRole('button', { name }).last().click()
const claimed = 'Businesses claimed without an owner'

/** Businesses that count as claimed, though they have no owner. */
async function newClaimed(word: string, count: number): Promise<Listing[]> {
  const shops = await newListings(word, count)
  const { error } = await service()
    .from('businesses')
    .update({ is_claimed: true })
    .in('id', shops.map(({ id }) => id))
  if (error) throw error
  return shops
}

async function remove(shops: readonly Listing[]): Promise<void> {
  await service()
    .from('businesses')
    .delete()
    .in('id', shops.map(({ id }) => id))
}

async function numbers(page: Page): Promise<number[]> {
  return (await page.locator('dl[aria-label="Summary"] dd').allTextContents()).map(Number)
}

test('ADMIN-INTEG-01 ADMIN-INTEG-02 ADMIN-INTEG-03 ADMIN-INTEG-08 API-43 C-57: checks are summed up, listed by urgency and made again', async ({
  page,
  person,
  checkAccessibility,
}) => {
  await setAdmin(person)
  const word = newWord()
  const asked: string[] = []
  page.on('request', (request) => {
    const check = new URL(request.url()).searchParams.get('p_check')
    if (check !== null && request.url().includes('/rpc/admin_integrity_check?')) asked.push(check)
  })
  await page.goto('/admin?tab=integrity')
  await expect(page.getByRole('heading', { name: 'Data Integrity' })).toBeVisible()
  await expect(results(page)).toHaveCount(21)
  expect(new Set(asked).size).toBe(21) // one query per check
  for (const name of ['Total', 'Passed', 'Warnings', 'Failed']) {
    await expect(page.locator('dl[aria-label="Summary"] dt', { hasText: name })).toBeVisible()
  }
  const [total = 0, passed = 0, warnings = 0, failed = 0] = await numbers(page)
  expect(total).toBe(21)
  expect(passed + warnings + failed).toBe(21)
  const badges = await results(page).evaluateAll((items) => items.map((item) => item.querySelector('span')?.textContent))
  expect(badges).toEqual([
    ...Array(failed).fill('Failed'),
    ...Array(warnings).fill('Warning'),
    ...Array(passed).fill('Passed'),
  ])
  await expect(card(page, 'Businesses without an owner')).toContainText('Warning')
  await checkAccessibility()
  await expectNoOverflow(page)

  const shops = await newClaimed(word, 2)
  await page.getByRole('button', { name: 'Refresh Checks' }).click()
  await expect(card(page, claimed)).toContainText('Failed')
  await card(page, 'Businesses without an owner').getByRole('link', { name: /^Show all/ }).click()
  await expect(page).toHaveURL('/admin?tab=integrity&check=no_owner')
  await find(page, word, 2)
  await expect(rowsOf(page).getByRole('link')).toHaveText(shops.map(({ name }) => name))
  await expect(rowsOf(page).first()).toContainText(shops[0]?.display_id ?? '')
  await expect(page.getByRole('button', { name: /^Repair/ })).toHaveCount(0)
  await checkAccessibility()
  await expectNoOverflow(page)
  await rowsOf(page).getByRole('link').first().click()
  await expect(page).toHaveURL(`/business/${shops[0]?.id}`)
  await page.goBack()
  await page.getByRole('link', { name: 'Back to all checks' }).click()
  await expect(results(page)).toHaveCount(21)
  await remove(shops)
})

test('ADMIN-INTEG-02: findings are repaired after confirmation, with a result for each, by keyboard', async ({
  page,
  person,
  checkAccessibility,
}) => {
  await setAdmin(person)
  const word = newWord()
  const shops = await newClaimed(word, 3)
  const [first, , third] = shops
  await page.goto('/admin?tab=integrity&check=claimed_state')
  await find(page, word, 3)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  const repair = page.getByRole('button', { name: 'Repair (3)' })
  await tabTo(page, repair)
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('heading', { name: 'Repair 3 findings?' })).toBeVisible()
  await expect(dialog(page)).toContainText('A business with an owner is claimed; one without is not.')
  await checkAccessibility()
  // Meanwhile somebody else corrected one of them.
  await service().from('businesses').update({ is_claimed: false }).eq('id', third?.id)
  await tabTo(page, dialog(page).getByRole('button', { name: 'Repair', exact: true }))
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('alert')).toContainText('2 of 3 done')
  await expect(dialog(page).getByRole('listitem')).toHaveText([/Done$/, /Done$/, /It was no longer wrong$/])
  await press(page, 'Close')
  await expect(page.getByText('Nothing was found')).toBeVisible()
  const { data } = await service()
    .from('businesses')
    .select('is_claimed')
    .in('id', shops.map(({ id }) => id))
  expect(data).toEqual([{ is_claimed: false }, { is_claimed: false }, { is_claimed: false }])

  // One alone, opened by its address. A repair that does not help is told.
  await service().from('businesses').update({ is_claimed: true }).eq('id', first?.id)
  await page.goto(`/admin?tab=integrity&check=claimed_state&row=${first?.id}`)
  await expect(dialog(page)).toContainText(first?.display_id ?? '')
  await press(page, 'Repair')
  await page.route('**/rpc/admin_repair_integrity', (route) =>
    route.fulfill({ json: [{ id: first?.id, result: 'failed' }] }),
  )
  await press(page, 'Repair')
  await expect(dialog(page).getByRole('alert')).toContainText('Not repaired')
  await expect(dialog(page)).toContainText('The repair did not help.')
  await press(page, 'Close')
  await page.unroute('**/rpc/admin_repair_integrity')
  await find(page, word, 1)
  await rowsOf(page).getByRole('button', { name: /^Repair/ }).click()
  await press(page, 'Repair')
  await expect(toast(page)).toContainText('Repaired')
  await remove(shops)
})

test('ADMIN-INTEG-10 ERR-57: a check that fails is a System Error and stops no other', once, async ({
  page,
  person,
  checkAccessibility,
}) => {
  await setAdmin(person)
  const one = (check: string) => `**/rpc/admin_integrity_check?p_check=${check}*`
  // The database could not make the first; the second has no answer at all.
  await page.route(one('far_bookings'), (route) =>
    route.fulfill({
      json: { check_key: 'far_bookings', name: 'System Error', status: 'fail', total: 0, findings: [], error: '57014' },
    }),
  )
  await page.route(one('own_reviews'), (route) => route.fulfill({ status: 500, json: { code: 'XX000', message: 'no' } }))
  await page.goto('/admin?tab=integrity')
  await expect(results(page)).toHaveCount(21, { timeout: 20_000 })
  await expect(card(page, 'System Error')).toHaveCount(2)
  await expect(card(page, 'System Error').first()).toContainText('Failed')
  await expect(card(page, 'System Error').filter({ hasText: 'Bookings more than a year ahead' })).toContainText('57014')
  await expect(card(page, 'System Error').filter({ hasText: 'Reviews by the owner' })).toContainText('XX000')
  await checkAccessibility()
})

test('ADMIN-INTEG-04 ADMIN-INTEG-05 ADMIN-INTEG-06 ADMIN-INTEG-07 ADMIN-INTEG-09 SEED-14 SEED-15 SEED-16 SEED-17 SEED-18: each check shows what it found', once, async ({
  page,
  person,
}) => {
  await setAdmin(person)
  const checks = [
    ['rating_range', 'Business ratings outside 0 to 5', 'fail'],
    ['review_range', 'Review ratings outside 1 to 5', 'fail'],
    ['negative_prices', 'Service prices below 0', 'fail'],
    ['past_pending', 'Pending bookings in the past', 'fail'],
    ['duplicate_categories', 'Duplicate categories of a business', 'fail'],
    ['many_reviews', 'Seeded businesses with more than 10 reviews', 'warning'],
    ['perfect_average', 'Seeded businesses with only 5-star reviews', 'warning'],
    ['price_range', 'Seeded businesses with prices over 10 times apart', 'warning'],
    ['rating_deviates', 'Ratings more than 1 from the review average', 'warning'],
    ['far_bookings', 'Bookings more than a year ahead', 'warning'],
  ] as const
  for (const [key, name, status] of checks) {
    const findings = [{ id: key, name: `Shop of ${key}`, link: '/about', detail: '7' }]
    await page.route(`**/rpc/admin_integrity_check?p_check=${key}*`, (route) =>
      route.fulfill({ json: { check_key: key, name, status, total: 6, findings, error: null } }),
    )
  }
  await page.goto('/admin?tab=integrity')
  for (const [key, name, status] of checks) {
    await expect(card(page, name)).toContainText(status === 'fail' ? 'Failed' : 'Warning')
    await expect(card(page, name)).toContainText('6 found')
    await expect(card(page, name).getByRole('link', { name: `Shop of ${key}` })).toHaveAttribute('href', '/about')
  }
})
