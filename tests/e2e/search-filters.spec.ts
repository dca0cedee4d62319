import type { Page } from '@playwright/test'
import { api, disableIncludedData, expect, once, responsesHandled, test } from './fixtures'

const sheetOf = (page: Page) => page.getByRole('dialog', { name: 'Filters' })
const chip = (page: Page, name: string | RegExp) => page.getByRole('button', { name, pressed: true })
const barcelona = { latitude: 41.3888, longitude: 2.159 }

async function count(filters: Record<string, unknown>): Promise<number> {
  const { data, error } = await api().rpc('count_businesses', filters)
  if (error) throw error
  return Number(data)
}

/** Returns a day on which many demo businesses are open, in about a week. */
function someDay(): string {
  const day = new Date(Date.now() + 7 * 86_400_000)
  if (day.getUTCDay() === 0) day.setUTCDate(day.getUTCDate() + 1)
  return day.toISOString().slice(0, 10)
}

test('filters say how many they leave before they act, stand in the address, and are dropped one by one', async ({
  page,
  checkAccessibility,
}) => {
  const on = someDay()
  await page.goto('/search?find_loc=Barcelona')
  await page.getByRole('button', { name: 'Filters' }).click()
  const sheet = sheetOf(page)
  await expect(sheet.getByRole('button', { name: `Show ${await count({ find_loc: 'Barcelona' })} businesses` })).toBeVisible()
  await sheet.getByLabel('From (', { exact: false }).fill('10')
  await sheet.getByLabel('To (', { exact: false }).fill('60,5')
  const priced = await count({ find_loc: 'Barcelona', min_price: 10, max_price: 60.5 })
  await expect(sheet.getByRole('button', { name: `Show ${priced} businesses` })).toBeVisible()
  await sheet.getByLabel('Distance').selectOption('Within 10 km')
  await checkAccessibility()
  await sheet.getByRole('button', { name: /^Show \d+ business/ }).click()
  await expect(page).toHaveURL('/search?find_loc=Barcelona&price_min=10&price_max=60.5&within=10')
  await expect(page.getByText(new RegExp(`of ${priced} results`))).toBeVisible()
  await expect(page.getByRole('article').first()).toContainText(/\d\.\d km/)
  await page.getByRole('button', { name: 'Open now' }).click()
  await expect(page).toHaveURL(/&open=1&/)
  await expect(chip(page, 'Open now')).toBeVisible()

  await page.goto(`/search?find_loc=Barcelona&on=${on}&price_max=60.5&within=10&rating=3.5`)
  await checkAccessibility()
  for (const [name, left] of [
    [/^Free on/, '/search?find_loc=Barcelona&rating=3.5&price_max=60.5&within=10'],
    ['Up to $60.50', '/search?find_loc=Barcelona&rating=3.5&within=10'],
    ['Within 10 km', '/search?find_loc=Barcelona&rating=3.5'],
    ['3.5+', '/search?find_loc=Barcelona'],
  ] as const) {
    await chip(page, name).press('Enter')
    await expect(page).toHaveURL(left)
  }
  await page.goBack()
  await expect(chip(page, '3.5+')).toBeVisible()
})

test('a day with free times is chosen by keyboard', async ({ page }) => {
  const on = someDay()
  await page.goto('/search?find_loc=Barcelona')
  await page.getByRole('button', { name: 'Filters' }).press('Enter')
  const sheet = sheetOf(page)
  await sheet.getByRole('button', { name: /^With free times on/ }).press('Enter')
  const day = page.locator(`[data-date="${on}"]`)
  if (!(await day.isVisible())) await page.getByRole('button', { name: 'Next month' }).press('Enter')
  await day.press('Enter')
  const left = await count({ find_loc: 'Barcelona', free_on: on })
  const show = sheet.getByRole('button', { name: left === 1 ? 'Show 1 business' : `Show ${left} businesses` })
  await expect(show).toBeVisible()
  await show.press('Enter')
  await expect(page).toHaveURL(`/search?find_loc=Barcelona&on=${on}`)
  await expect(page.getByRole('article')).toHaveCount(Math.min(12, left))
})

test('results are ordered as is asked', async ({ page }) => {
  await page.goto('/search?find_desc=masaje')
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Lowest price')
  await expect(page).toHaveURL('/search?find_desc=masaje&sort=price')
  const { data } = await api()
    .rpc('best_businesses', { find_desc: 'masaje', sort_by: 'price' })
    .select('name')
    .limit(12)
  const first = page.locator('article:not([data-promoted])').first()
  await expect(first.getByRole('heading')).toHaveText(data?.[0]?.name)
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Best match')
  await expect(page).toHaveURL('/search?find_desc=masaje')
})

test('the position is asked for on a press alone, and is not needed', async ({ page, context }) => {
  await page.goto('/search?find_desc=masaje')
  await page.getByRole('button', { name: 'Filters' }).click()
  const sheet = sheetOf(page)
  await expect(sheet.getByLabel('Distance')).toBeDisabled()
  await context.grantPermissions([])
  await sheet.getByRole('button', { name: 'Use my position' }).click()
  await expect(sheet.getByText('Your position is not known')).toBeVisible()
  await context.grantPermissions(['geolocation'])
  await context.setGeolocation(barcelona)
  await sheet.getByRole('button', { name: 'Use my position' }).click()
  await expect(sheet.getByLabel('Distance')).toHaveValue('5')
  await sheet.getByRole('button', { name: /^Show \d+ business/ }).click()
  await expect(page).toHaveURL('/search?find_desc=masaje&within=5&near=41.389%2C2.159')
  await expect(page.getByRole('article').first()).toContainText(/· \d\.\d km/)
  await chip(page, 'Within 5 km of you').click()
  await expect(page).toHaveURL('/search?find_desc=masaje')
  // Sorted by distance from the device.
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Nearest')
  await expect(page).toHaveURL('/search?find_desc=masaje&near=41.389%2C2.159&sort=distance')
  await expect(page.getByRole('article').first()).toContainText(/· \d\.\d km/)
})

test('of two counts the last one wins', once, async ({ page }) => {
  await page.goto('/search?find_loc=Barcelona')
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.getByRole('button', { name: 'Filters' }).click()
  const began = page.waitForRequest('**/rpc/count_businesses?*min_rating=4.5*')
  await page.route('**/rpc/count_businesses?*min_rating=4.5*', async (route) => {
    await held
    await route.fulfill({ json: 4999 }).catch(() => undefined)
    answer()
  })
  await sheetOf(page).getByRole('radio', { name: '4.5 and more' }).check()
  await began
  await sheetOf(page).getByRole('radio', { name: '3.5 and more' }).check()
  const left = await count({ find_loc: 'Barcelona', min_rating: 3.5 })
  const show = sheetOf(page).getByRole('button', { name: `Show ${left} businesses` })
  await expect(show).toBeVisible()
  letGo()
  await answered
  await responsesHandled(page)
  await expect(show).toBeVisible()
  await page.route(/count_businesses\?.*min_rating=4(&|$)/, (route) => route.fulfill({ json: 5001 }))
  await sheetOf(page).getByRole('radio', { name: '4.0 and more' }).check()
  await expect(sheetOf(page).getByRole('button', { name: 'Show more than 5,000 businesses' })).toBeVisible()
})

test('an address that makes no sense gets an answer that does', once, async ({ page }) => {
  await disableIncludedData(page)
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() >= 400 && response.url().includes('/rest/')) refused.push(`${response.status()} ${response.url()}`)
  })
  const amenities = Array.from({ length: 40 }, (_, index) => `Nr ${index}`).join()
  for (const query of [
    'on=1970-01-01&price_min=-3&price_max=free&open=2',
    'within=7&near=999,2&bounds=5,4,3,2,1&sort=worst&view=upside',
    `amenities=${amenities}`,
    'page=99999',
    'page=9007199254740991',
    'bounds=-90,-180,90,180&near=0,0&within=50&sort=distance&on=2026-13-45',
    'price_min=99999&price_max=0.01',
    `find_desc=${'a'.repeat(2000)}`,
    'find_desc=%F0%9F%92%87%F0%9F%8F%BD%E2%80%8D%E2%99%80%EF%B8%8F',
    'find_desc=%D7%A9%D7%9C%D7%95%D7%9D&find_loc=%D9%85%D8%AF%D8%B1%D9%8A%D8%AF',
    'find_desc=%25_%27%22%5C%3B--&find_loc=%25',
    'find_desc=+++&find_loc=+',
    'find_loc=Nowhere+at+all&within=5&sort=distance',
  ]) {
    await page.goto(`/search?${query}`)
    const answer = page.getByText(/^Showing \d+ of/).or(page.getByRole('heading', { name: 'No Results Found' }))
    await expect(answer, query.slice(0, 80)).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
  }
  expect(refused).toEqual([])
})
