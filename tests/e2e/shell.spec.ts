import type { Request } from '@playwright/test'
import { bookable } from './bookable-shops'
import { disableIncludedData, enter, expect, newPerson, once, test } from './fixtures'

test('ROUTE-01 HOME-01 HOME-10 UI-01: home is Spanish and says so to every reader', async ({
  page,
  request,
  checkAccessibility,
}) => {
  const html = await (await request.get('/')).text()
  expect(html).toContain('<html lang="es"')
  expect(html).toContain('property="og:locale" content="es_ES"')
  const image = html.match(/property="og:image" content="([^"]+)"/)?.[1] ?? ''
  expect(image).toMatch(/^https?:/)
  expect((await request.get(image)).headers()['content-type']).toBe('image/png')

  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Descubre los mejores servicios cerca de ti',
  )
  await checkAccessibility()
})

test('HOME-05 HOME-07 HOME-08 LOC-02 LOC-03 LOC-05: a chosen city leads the page', async ({
  page,
}) => {
  await page.goto('/')
  await expect(page.getByText('· default location')).toBeVisible()
  await page
    .getByRole('button', { name: /Andorra/ })
    .first()
    .click()
  await expect(page.getByRole('listbox', { name: 'Popular cities' }).getByRole('option')).toHaveText(
    ['Madrid', 'Barcelona', 'Valencia', 'Seville', 'Bilbao', 'Malaga', 'Andorra'].map(
      (city) => `${city}${city === 'Andorra' ? 'Andorra' : 'Spain'}`,
    ),
  )
  await page.getByPlaceholder('Search cities...').fill('Bilb')
  await page
    .getByRole('option', { name: /Bilbao/ })
    .or(page.getByRole('button', { name: /Bilbao/ }))
    .first()
    .click()
  await expect(page.getByText('· manual selection')).toBeVisible()
  const top = page.getByRole('heading', { name: 'Top Rated in Bilbao' })
  await top.scrollIntoViewIfNeeded()
  await expect(top).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(4)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Top Rated in Bilbao' })).toBeAttached()
})

test('HOME-06 CONST-17 LOC-05 LOC-08 DATA-28: placeholders, categories, and a place known for a day', once, async ({
  page,
}) => {
  await disableIncludedData(page)
  const places = [
    { city: 'Barcelona', country_name: 'Spain' },
    { city: 'Lyon', country_name: 'France' },
  ]
  await page.route('**/functions/v1/geolocation', (route) => route.fulfill({ json: places.shift() }))
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  for (const address of ['**/rest/v1/categories-plaza*', '**/rest/v1/rpc/search_businesses*']) {
    await page.route(address, (route) => held.then(() => route.continue()))
  }
  const first = Date.UTC(2027, 0, 4, 12)
  await page.clock.setFixedTime(first)
  await page.goto('/')
  await expect(page.getByText('· auto-detected')).toBeVisible()
  const mosaic = page.getByRole('region', { name: 'Categorías populares' })
  await expect(mosaic.locator('.animate-pulse')).toHaveCount(10)
  const top = page.getByRole('region', { name: 'Top Rated in Barcelona' })
  await top.scrollIntoViewIfNeeded()
  await expect(top.locator('.animate-pulse')).toHaveCount(4)
  answer()
  await expect(mosaic.getByRole('link')).toHaveCount(10)
  await expect(top.getByRole('article')).toHaveCount(4)

  const kept = () =>
    page.evaluate(() => JSON.parse(localStorage.getItem('plaza.location') ?? 'null'))
  const place = { city: 'Barcelona', country: 'Spain', isSupported: true, timestamp: first }
  expect(await kept()).toEqual(place)
  await page.clock.setFixedTime(first + 24 * 3_600_000 - 1)
  await page.reload()
  await expect(page.getByText('· saved location')).toBeVisible()
  await page.clock.setFixedTime(first + 24 * 3_600_000)
  await page.reload()
  await expect(page.getByText('Aún no estamos en Lyon')).toBeVisible()
  expect(await kept()).toMatchObject({ city: 'Lyon', isSupported: false })

  const category = mosaic.getByRole('link').first()
  const target = new URL((await category.getAttribute('href')) ?? '', 'http://x').searchParams
  await category.click()
  await expect(page).toHaveURL(/\/search\?category=/)
  await expect(
    page.getByRole('heading', { name: `${target.get('category')} businesses` }),
  ).toBeVisible()
})

for (const [path, heading] of [
  ['/about', /About/],
  ['/help', /Help/],
  ['/contact', /Contact/],
  ['/privacy', /Privacy/],
  ['/terms', /Terms/],
] as const) {
  test(`ROUTE-17 NAV-07 NAV-08: ${path} informs, with header and footer`, async ({
    page,
    checkAccessibility,
  }) => {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    await expect(page.getByRole('contentinfo')).toContainText('Discover')
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await checkAccessibility()
  })
}

test('ROUTE-20: any other path says so and leads home', async ({ page, checkAccessibility }) => {
  await page.goto('/no/such/place/at/all')
  await expect(page.getByText('Oops! Page not found')).toBeVisible()
  await checkAccessibility()
  await page.getByRole('main').getByRole('link', { name: /home/i }).click()
  await expect(page).toHaveURL('/')
})

test('ROUTE-18 ROUTE-19 UI-01: the Spanish example page filters by chip', async ({
  page,
  checkAccessibility,
}) => {
  await page.goto('/categoria-ejemplo')
  await expect(page.locator('html')).toHaveAttribute('lang', 'es')
  for (const chip of ['Todos', 'Taller', 'Venta', 'Rápido', 'Barato']) {
    await expect(page.getByRole('main').getByText(chip, { exact: true }).first()).toBeVisible()
  }
  await checkAccessibility()
})

test('NAV-02 NAV-03 NAV-05: links not allowed for a role are not shown', async ({ page }) => {
  await page.goto('/about')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible()
  const person = await newPerson()
  await enter(page, person)
  await page.goto('/about')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toHaveCount(0)
  await expect(page.getByRole('banner').getByRole('link', { name: 'My Businesses' })).toHaveCount(0)
  await expect(
    page.getByRole('banner').getByRole('link', { name: 'Admin', exact: true }),
  ).toHaveCount(0)
})

test('a page includes the data of its first screen; signed-in users send their own requests', once, async ({
  page,
  browser,
}) => {
  const shop = await bookable()
  const asked: string[] = []
  const watch = (request: Request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/rest/v1/')) asked.push(pathname.slice('/rest/v1/'.length))
  }
  page.on('request', watch)
  // A page waits 0.3 s for its responses: retry if the machine is too busy for that.
  const asksNothing = (address: string, names: string[], drawn: () => Promise<void>) =>
    expect(async () => {
      asked.length = 0
      await page.goto(address)
      await drawn()
      for (const name of names) expect(asked).not.toContain(name)
    }).toPass()
  const heading = page.getByRole('heading', { level: 1 })
  await asksNothing(`/business/${shop.id}`, ['businesses', 'categories-plaza'], async () => {
    await expect(heading).toHaveText(shop.name)
    await expect(page.getByRole('heading', { name: /review/i }).first()).toBeVisible()
  })
  const cityReads = ['cities', 'city_counts', 'category_counts', 'url_redirects']
  await asksNothing('/c/seville', cityReads, () =>
    expect(heading).toHaveText('Businesses in Seville'),
  )
  const searchReads = ['categories-plaza', 'rpc/best_businesses', 'rpc/promoted_businesses']
  await asksNothing('/search?find_loc=Barcelona&category=Hair+Salons', searchReads, async () => {
    await expect(page.getByRole('article').first()).toBeVisible()
    await expect(page.getByRole('combobox', { name: 'Category' })).toHaveValue('hair')
    await expect(page.getByText(/^Next: /).first()).toBeVisible()
  })
  // Each included response is used once: the next search sends a request.
  await page.getByRole('button', { name: '4.0+' }).click()
  await expect.poll(() => asked).toContain('rpc/best_businesses')

  const other = await (await browser.newContext()).newPage()
  await enter(other, await newPerson())
  asked.length = 0
  other.on('request', watch)
  await other.goto(`/business/${shop.id}`)
  await expect(other.getByRole('heading', { level: 1 })).toHaveText(shop.name)
  await expect.poll(() => asked).toContain('businesses')
  await other.context().close()
})

test('UI-10: layout shift of the first pages is good', once, async ({ page }) => {
  await page.addInitScript(() => {
    const seen = { shift: 0 }
    Object.assign(window, { seen })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput } = entry as PerformanceEntry & {
          value: number
          hadRecentInput: boolean
        }
        if (!hadRecentInput) seen.shift += value
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  type Seen = { shift: number }
  const seen = () => page.evaluate(() => (window as unknown as { seen: Seen }).seen)
  for (const path of ['/', '/search', '/search/barcelona', '/business/cabells-de-leixample']) {
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect((await seen()).shift, path).toBeLessThanOrEqual(0.1)
  }
})
