import type { Page } from '@playwright/test'
import { disableIncludedData, expect, once, test } from './fixtures'

const isPhone = () => test.info().project.name === 'phone'
const map = (page: Page) => page.locator('[data-map=ready]')
const pins = (page: Page) => page.locator('button[data-pin]')
const groups = (page: Page) => page.getByRole('button', { name: /businesses close together/ })
const cards = (page: Page) => page.getByRole('article')

/** Shows the map; on phones it replaces the list. */
async function showMap(page: Page): Promise<void> {
  if (isPhone()) await page.getByRole('link', { name: 'Map', exact: true }).click()
  await expect(map(page)).toBeVisible()
  await expect(pins(page).first()).toBeVisible()
}

/** Drags the map by mouse. */
async function drag(page: Page, dx: number, dy: number): Promise<void> {
  const box = await map(page).boundingBox()
  if (!box) throw new Error('there is no map')
  // A point without a pin: the lower left, above the credits.
  const [x, y] = [box.x + 60, Math.min(box.y + box.height, page.viewportSize()?.height ?? 0) - 160]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + dx / 2, y + dy / 2, { steps: 3 })
  await page.mouse.move(x + dx, y + dy, { steps: 3 })
  await page.mouse.up()
}

test('list and map move together, by pointer and by keyboard', async ({ page, checkAccessibility }) => {
  await page.goto('/search?find_loc=Barcelona')
  await showMap(page)
  await checkAccessibility()
  const pin = pins(page).first()
  const id = (await pin.getAttribute('data-pin')) ?? ''
  const name = (await pin.getAttribute('aria-label'))?.split(',')[0] ?? ''
  const card = page.locator(`[data-result="${id}"]`)
  await expect(pin).toHaveAttribute('aria-pressed', 'false')
  if (isPhone()) {
    await expect(card).toBeHidden()
    await pin.click()
    await expect(pin).toHaveAttribute('aria-pressed', 'true')
    const shown = cards(page).filter({ hasText: name })
    await expect(shown.filter({ visible: true })).toBeVisible()
    await checkAccessibility()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await expect(shown.filter({ visible: true })).toHaveCount(0)
    return
  }
  await card.hover()
  await expect(pin).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('heading', { level: 1 }).hover()
  await expect(pin).toHaveAttribute('aria-pressed', 'false')
  await card.getByRole('link').focus()
  await expect(pin).toHaveAttribute('aria-pressed', 'true')
  // By keyboard: a pin can be focused, has a name, and leads to its card.
  const other = pins(page).nth(1)
  const otherId = (await other.getAttribute('data-pin')) ?? ''
  await other.focus()
  await page.keyboard.press('Enter')
  const link = page.locator(`[data-result="${otherId}"]`).getByRole('link')
  await expect(link).toBeFocused()
  await expect(link).toBeInViewport()
  await expect(other).toHaveAttribute('aria-pressed', 'true')
})

test('where the map was moved to is searched in, until that is dropped', async ({ page }) => {
  await page.goto('/search?find_loc=Barcelona')
  await showMap(page)
  await expect(page.getByRole('button', { name: 'Search this area' })).toHaveCount(0)
  await drag(page, 30, -40)
  await page.getByRole('button', { name: 'Search this area' }).click()
  await expect(page).toHaveURL(/^[^?]*\/search\?bounds=41\.\d+%2C2\.\d+%2C41\.\d+%2C2\.\d+(&view=map)?$/)
  const area = page.getByRole('button', { name: 'This area of the map', pressed: true })
  await expect(area).toBeVisible()
  await expect(page.getByText(/^Showing \d+ of/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Search this area' })).toHaveCount(0)
  await page.goBack()
  await expect(page).toHaveURL(/find_loc=Barcelona/)
  await page.goForward()
  await area.press('Enter')
  await expect(page).toHaveURL(isPhone() ? '/search?view=map' : '/search')
})

test('overlapping results are clustered in one pin that separates on zoom', async ({ page }) => {
  await page.goto('/search')
  await showMap(page).catch(() => undefined)
  await expect(groups(page).first()).toBeVisible()
  const before = await groups(page).first().getAttribute('aria-label')
  await groups(page).first().focus()
  await page.keyboard.press('Enter')
  await expect(page.locator(`button[aria-label="${before}"]`)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Search this area' })).toBeVisible()
})

test('a business without a place on the map is not drawn there', once, async ({ page }) => {
  await disableIncludedData(page)
  await page.route('**/rpc/promoted_businesses*', (route) => route.fulfill({ json: [] }))
  await page.route('**/rpc/best_businesses*', async (route) => {
    const answer = await route.fetch()
    const rows: { latitude: number; longitude: number }[] = await answer.json()
    const [first, second] = rows
    if (first) Object.assign(first, { latitude: 0, longitude: 0 })
    await route.fulfill({ response: answer, json: [first, second] })
  })
  await page.goto('/search?find_loc=Barcelona')
  await showMap(page)
  await expect(pins(page)).toHaveCount(1)
  await expect(page.getByText('1 business has no place on the map')).toBeVisible()
})

test('on a phone the map is loaded when it is asked for', async ({ page }) => {
  test.skip(!isPhone(), 'it stands beside the list')
  const libraries: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('maplibre')) libraries.push(request.url())
  })
  await page.goto('/search?find_loc=Barcelona')
  await expect(page.getByRole('link', { name: 'Map', exact: true })).toBeVisible()
  await expect(page.getByText(/^Next: /).first()).toBeVisible()
  expect(libraries).toEqual([])
  await showMap(page)
  await expect(page).toHaveURL('/search?find_loc=Barcelona&view=map')
  expect(libraries).not.toEqual([])
  await expect(cards(page).filter({ visible: true })).toHaveCount(0)
  await page.getByRole('link', { name: 'List', exact: true }).click()
  await expect(page).toHaveURL('/search?find_loc=Barcelona')
  await expect(cards(page).first()).toBeVisible()
  await page.goBack()
  await expect(map(page)).toBeVisible()
})

test('on a phone the button back to the list does not cover the attribution', async ({ page }) => {
  test.skip(!isPhone(), 'it stands beside the list')
  await page.goto('/search?find_loc=Barcelona')
  await showMap(page)
  const credits = await page.getByText('IGN España').locator('xpath=ancestor::details').boundingBox()
  const list = await page.getByRole('link', { name: 'List', exact: true }).boundingBox()
  expect(credits?.height).toBeGreaterThan(0)
  expect((credits?.y ?? 0) + (credits?.height ?? 0)).toBeLessThanOrEqual(list?.y ?? 0)
})

test('without a map the list is there', once, async ({ page }) => {
  await page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null
  })
  await page.goto('/search?find_loc=Barcelona')
  await expect(page.getByText('The map cannot be shown in this browser.')).toBeVisible()
  await expect(cards(page)).toHaveCount(12)
})
