import type { Page } from '@playwright/test'
import { bookable, bookableShopOf } from './bookable-shops'
import { api, expect, hold, newPerson, once, test } from './fixtures'
import { addPhotos } from './owners'

// Compares what the server renders before the client runs (functions/firstview) with the client's
// rendering.

type Seen = { what: string; x: number; y: number; width: number; height: number }

/** The visible words and tiles, with their positions. */
async function seen(page: Page): Promise<Seen[]> {
  await page.evaluate(async () => void (await document.fonts.ready))
  return page.evaluate(() => {
    const found: Seen[] = []
    for (const element of document.querySelectorAll<HTMLElement>('#root *')) {
      const box = element.getBoundingClientRect()
      if (element.localName === 'footer') break // its logo and theme switch come with the client
      const hasWords = [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== '')
      const tile = element.style.backgroundImage ? `tile ${element.style.backgroundColor} ${element.style.backgroundSize} ${element.style.backgroundImage}` : ''
      const isInSight = box.width > 1 && box.height > 1 && box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.left < innerWidth
      const isPicture = element instanceof HTMLImageElement && element.alt !== ''
      if (!isInSight || (!hasWords && tile === '' && !isPicture) || element.localName === 'option') continue
      const { color, fontSize, fontWeight, fontFamily } = getComputedStyle(element)
      const words = element.textContent.trim().replace(/\s+/g, ' ')
      found.push({
        what: isPicture ? `${element.alt} ${element.currentSrc}` : tile || `${words} ${color} ${fontSize} ${fontWeight} ${fontFamily.slice(0, 12)}`,
        x: box.x, y: box.y, width: box.width, height: box.height,
      })
    }
    return found
  })
}

const isNear = (a: Seen, b: Seen) =>
  a.what === b.what &&
  [a.x - b.x, a.y - b.y, a.width - b.width, a.height - b.height].every((difference) => Math.abs(difference) <= 1)

/** The page of a new business with the given number of photos. */
async function shopWith(photos: number): Promise<string> {
  const shop = await bookableShopOf(await newPerson())
  if (photos > 0) await addPhotos(shop, photos)
  return `/business/${shop.id}`
}

const screens: [name: string, path: () => string | Promise<string>, least: number][] = [
  ['home', () => '/', 7],
  ['results', () => '/search', 20],
  ['what was searched for', () => '/search?find_desc=restaurante&find_loc=Barcelona', 18], ['a further page', () => '/search?find_loc=Barcelona&page=2', 18],
  ['what was understood otherwise', () => '/search?find_desc=peluqeria', 18],
  ['a category', () => '/search?category=Restaurants', 20],
  ["a place's results", () => '/search/bcn', 18], ["a place's further page", () => '/search/barcelona?page=2', 18],
  ["a category's results in a place", () => '/search/sevilla/restaurants', 18],
  ["a category's own page", () => '/category/beauty-spas', 20],
  ['a city', () => '/c/barcelona', 8],
  ["a city's category", () => '/c/barcelona/beautysvc', 15],
  ['a business', () => shopWith(0), 8],
  ['a business with a photo', () => shopWith(1), 8],
  ['a business with photos', () => shopWith(4), 8],
  ['a text page', () => '/about', 4], ['the plans', () => '/plans', 4], ['the example', () => '/categoria-ejemplo', 4],
]

const translated: typeof screens = [
  ['home in English', () => '/en', 7], ['home in Catalan', () => '/ca', 7],
  ['results in Spanish', () => '/es/search?find_desc=restaurante&find_loc=Barcelona', 18],
  ['what was understood otherwise in Catalan', () => '/ca/search?find_desc=peluqeria', 18],
  ["a category's own page in Catalan", () => '/ca/category/beauty-spas', 20],
  ['a city in Catalan', () => '/ca/c/andorra', 8], ['a city in Spanish', () => '/es/c/seville', 8],
  ["a city's category in Spanish", () => '/es/c/barcelona/beautysvc', 15],
  ['a business in Catalan', async () => `/ca${await shopWith(1)}`, 8], ['a business in Spanish', async () => `/es${await shopWith(0)}`, 8],
  ['a text page in Catalan', () => '/ca/help', 4],
]

test('a first visit fetches at most 120 KB of script, lazy parts of its first view included', once, async ({ browser }) => {
  const shop = await shopWith(4)
  for (const path of ['/', '/search?find_desc=restaurante&find_loc=Barcelona', '/c/barcelona', shop]) {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 }, baseURL: test.info().project.use.baseURL ?? '' })
    const network = await page.context().newCDPSession(page)
    await network.send('Network.enable')
    const scripts = new Set<string>()
    let bytes = 0
    network.on('Network.responseReceived', ({ requestId, type }) => type === 'Script' && scripts.add(requestId))
    network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (scripts.has(requestId)) bytes += encodedDataLength
    })
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    expect(bytes, path).toBeGreaterThan(60_000)
    expect(bytes, path).toBeLessThanOrEqual(120_000)
    await page.close()
  }
})

/** Defines the test of a screen. */
function compare([name, path, least]: (typeof screens)[number], details: object) {
  test(`the first view of ${name} equals the client’s rendering`, details, async ({ page, browser }) => {
    const address = await path()
    const { viewport, baseURL, locale } = test.info().project.use
    const still = await browser.newPage({ javaScriptEnabled: false, viewport: viewport ?? null, baseURL: baseURL ?? '', locale: locale ?? 'en-GB' })
    // Both are loaded again if they differ: another test may have written in between, and lists
    // count it.
    await expect(async () => {
      await still.goto(address)
      const first = await seen(still)
      expect(first.length).toBeGreaterThanOrEqual(least)
      await page.goto(address)
      await expect(page.locator('#first-view')).toHaveCount(0)
      await expect(async () => {
        const then = await seen(page)
        expect(first.filter((one) => !then.some((other) => isNear(one, other)))).toEqual([])
      }).toPass({ timeout: 5000 })
    }).toPass()
    await still.close()
  })
}

for (const screen of screens) compare(screen, {})
for (const screen of translated) compare(screen, once)

/** Blocks the client's code until it is released. */
const holdClient = (page: Page) => hold(page, '**/assets/*.js')

test('text typed before the client runs is kept, with the focus', async ({ page }) => {
  const letIn = await holdClient(page)
  await page.goto('/', { waitUntil: 'commit' })
  const what = page.getByLabel('Qué', { exact: true })
  await what.pressSequentially('corte')
  await expect(page.locator('#first-view')).toHaveCount(1)
  letIn()
  await expect(page.locator('#first-view')).toHaveCount(0)
  await expect(what).toHaveValue('corte')
  await expect(what).toBeFocused()
  await page.keyboard.type(' de pelo')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/find_desc=corte\+de\+pelo&find_loc=/)
})

test('HOME-04: a search submitted before the client runs is executed when it does', async ({ page }) => {
  const letIn = await holdClient(page)
  await page.goto('/', { waitUntil: 'commit' })
  await page.getByLabel('Qué', { exact: true }).fill('corte')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Buscar' })).toHaveAttribute('data-pressed')
  letIn()
  await expect(page).toHaveURL('/search?find_desc=corte&find_loc=Andorra')
})

test('a search does not wait for a client that does not come', once, async ({ page }) => {
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.goto('/')
  await page.getByLabel('Qué', { exact: true }).fill('restaurante')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/search?find_desc=restaurante&find_loc=')
  await expect(page.getByRole('article').first()).toBeVisible()
})

test('a press before the client runs is executed when it does', async ({ page }) => {
  const shop = await bookable()
  const letIn = await holdClient(page)
  await page.goto(`/business/${shop.id}`, { waitUntil: 'commit' })
  const isPhone = test.info().project.name === 'phone'
  // Both exist until the styles are loaded: on phones the one in the bar stays, otherwise the one
  // in the header.
  const book = page.getByRole('button', { name: 'Book Now' })
  await (isPhone ? book.last() : book.first()).click()
  await expect(page.locator('#first-view')).toHaveCount(1)
  letIn()
  await expect(page.locator('#first-view')).toHaveCount(0)
  if (isPhone) await expect(page.getByRole('dialog', { name: 'Book an appointment' })).toBeVisible()
  else await expect(page.getByRole('heading', { name: 'Book an appointment' })).toBeFocused()
})

test('a press of a signed-in user, whose data comes after the client, is executed then', once, async ({ page, person }) => {
  expect(person.id).not.toBe('')
  const shop = await bookable()
  const letIn = await holdClient(page)
  const answer = await hold(page, '**/rest/v1/businesses?*')
  await page.goto(`/business/${shop.id}`, { waitUntil: 'commit' })
  await page.getByRole('button', { name: `Book ${shop.serviceName}`, exact: true }).click()
  await expect(page.locator('#first-view')).toHaveCount(1)
  letIn()
  await expect(page.locator('#first-view')).toHaveCount(0)
  answer()
  await expect(page).toHaveURL(new RegExp(`service=${shop.serviceId}`))
})

test('how far one has scrolled before the client runs stays', async ({ page }) => {
  const letIn = await holdClient(page)
  await page.goto('/search', { waitUntil: 'commit' })
  const card = page.getByRole('article').nth(8)
  await card.waitFor({ state: 'attached' })
  // Until then the page has another height.
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].every(({ sheet }) => sheet !== null),
  )
  await card.evaluate((element) => element.scrollIntoView({ block: 'start' }))
  const far = await page.evaluate(() => window.scrollY)
  expect(far).toBeGreaterThan(300)
  letIn()
  await expect(page.locator('#first-view')).toHaveCount(0)
  expect(await page.evaluate(() => window.scrollY)).toBe(far)
})

/** Blocks a phone's client between two parts of its first screen until it is released. */
async function holdParts(page: Page) {
  await page.addInitScript(() => {
    const held = new Promise<void>((resolve) => addEventListener('go-on', () => resolve()))
    const next = scheduler.yield.bind(scheduler)
    scheduler.yield = async () => {
      document.body.dataset.held = ''
      await held
      await next()
    }
  })
  return {
    reached: () => expect(page.locator('body')).toHaveAttribute('data-held'),
    goOn: () => page.evaluate(() => dispatchEvent(new Event('go-on'))),
  }
}

test('text typed while the client renders its parts is kept, and so is the scroll position', async ({ page }) => {
  test.skip(test.info().project.name !== 'phone', 'wide screens are drawn at once')
  const parts = await holdParts(page)
  await page.goto('/')
  await parts.reached()
  const what = page.getByLabel('Qué', { exact: true })
  await what.pressSequentially('corte')
  await expect(page.locator('#first-view')).toHaveCount(1)
  await parts.goOn()
  await expect(page.locator('#first-view')).toHaveCount(0)
  await expect(what).toHaveValue('corte')
  await expect(what).toBeFocused()

  await page.goto('/search')
  await parts.reached()
  const card = page.getByRole('article').nth(8)
  await card.evaluate((element) => element.scrollIntoView({ block: 'start' }))
  const far = await page.evaluate(() => window.scrollY)
  expect(far).toBeGreaterThan(300)
  await parts.goOn()
  await expect(page.locator('#first-view')).toHaveCount(0)
  expect(await page.evaluate(() => window.scrollY)).toBe(far)
})

test('a page that is loaded whole opens at its top, and where it was left after back and a reload', once, async ({ page }) => {
  const top = () => page.evaluate(() => window.scrollY)
  await page.goto('/search')
  // The client renders its articles again.
  await expect(page.locator('#first-view')).toHaveCount(0)
  await page.getByRole('article').last().scrollIntoViewIfNeeded()
  const left = await top()
  expect(left).toBeGreaterThan(200)
  await page.goto('/about')
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport()
  expect(await top()).toBe(0)
  await page.goBack()
  await expect.poll(top).toBe(left)
  await page.reload()
  await expect.poll(top).toBe(left)
})

test('a signed-in user is not asked to sign in, in the first view either', once, async ({ page, person }) => {
  expect(person.id).not.toBe('')
  const letIn = await holdClient(page)
  await page.goto('/search', { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { name: 'Search Results' })).toBeVisible()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeHidden()
  letIn()
  await expect(page.getByRole('button', { name: /^Account of/ })).toBeVisible()
})

test('search, a business and its city work without scripts', once, async ({ browser }) => {
  const { baseURL } = test.info().project.use
  const page = await browser.newPage({ javaScriptEnabled: false, baseURL: baseURL ?? '' })
  await page.goto('/')
  await page.getByLabel('Qué', { exact: true }).fill('restaurante')
  await page.keyboard.press('Enter')
  await expect(page).toHaveTitle('Search results for "restaurante" · Plaza')
  const link = page.getByRole('article').first().getByRole('link')
  const name = await link.innerText()
  await link.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  await expect(page.getByRole('heading', { name: 'Services' })).toBeVisible()
  await page.close()
})

test('a row below the first screen that comes first by another order is drawn', async ({ page }) => {
  test.skip(test.info().project.name !== 'phone', 'wide screens are drawn at once')
  // Parts below the first screen render when the browser is idle, which it never is here.
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0
  })
  const names = async (sort_by: string) => {
    const { data } = await api().rpc('best_businesses', { find_desc: 'masaje', sort_by }).select('name').limit(12)
    return (data ?? []).map(({ name }) => name)
  }
  const [best, cheapest] = [await names('best'), await names('price')]
  const drawn = page.locator('article:not([data-promoted])').getByRole('heading')
  await page.goto('/search?find_desc=masaje')
  await expect(page.locator('#first-view')).toHaveCount(0)
  await expect(drawn.first()).toHaveText(best[0] ?? '')
  await expect(drawn.filter({ hasText: cheapest[0] })).toHaveCount(0)
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Lowest price')
  await expect(drawn.first()).toHaveText(cheapest[0] ?? '')
})

test('back to a list that was left while the first screen was unfinished: it keeps its scroll position', async ({ page }) => {
  test.skip(test.info().project.name !== 'phone', 'wide screens are drawn at once')
  // The browser is never idle again once the client has drawn a dozen rows.
  await page.addInitScript(() => {
    const whenIdle = window.requestIdleCallback.bind(window)
    const isDrawn = () => document.querySelectorAll('article').length >= 12 && !document.getElementById('first-view')
    window.requestIdleCallback = (act) => (isDrawn() ? 0 : whenIdle(act))
  })
  await page.goto('/search/barcelona')
  await expect(page.locator('#first-view')).toHaveCount(0)
  const row = page.getByRole('article').nth(11)
  // Not its innerText, which is empty while the browser skips the row.
  const name = (await row.getByRole('heading').textContent()) ?? ''
  expect(name).not.toBe('')
  await expect(page.locator(':root')).toHaveAttribute('data-first')
  await row.getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await page.goBack()
  await expect(row).toContainText(name)
  await expect(row).toBeInViewport()
})
