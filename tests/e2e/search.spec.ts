import { api, disableIncludedData, expect, once, test } from './fixtures'

// Businesses that other tests promote are excluded from the lists here; metrics.spec.ts tests
// promotion.
test.beforeEach(async ({ page }) => {
  await disableIncludedData(page)
  await page.route('**/rest/v1/rpc/promoted_businesses*', (route) => route.fulfill({ json: [] }))
})

test('ROUTE-06 ROUTE-07 ROUTE-08 SEARCH-03 SEARCH-05: older names are converted and never come back', once, async ({
  page,
  checkAccessibility,
}) => {
  await page.goto('/about')
  await page.goto('/search?q=hotel&location=Andorra&page=1')
  await expect(page).toHaveURL('/search?find_desc=hotel&find_loc=Andorra')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('hotel in Andorra')
  await expect(page.getByRole('heading', { name: 'Results for "hotel"' })).toBeVisible()
  await expect(page.getByText(/^Showing \d+ of \d+ results \(Page 1 of \d+\)$/)).toBeVisible()
  await checkAccessibility()
  await page.goBack()
  await expect(page).toHaveURL('/about')
})

test('SEARCH-04 SEARCH-06 SEARCH-07 SEARCH-08 SEARCH-11 SEARCH-12 CONST-07: pages of 12, best rated first, scrolling to the results', async ({
  page,
}) => {
  const { data, count } = await api()
    .rpc('search_businesses', { find_loc: 'Barcelona' }, { count: 'exact' })
    .select('name, ranking')
    .order('ranking', { ascending: false })
    .order('created_at', { ascending: false })
  const pages = Math.ceil((count ?? 0) / 12)
  await page.goto('/search/barcelona')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Businesses in Barcelona')
  await expect(page.getByText(`Showing 12 of ${count} results (Page 1 of ${pages})`)).toBeVisible()
  const names = page.getByRole('article').getByRole('heading')
  await expect(names).toHaveText((data ?? []).slice(0, 12).map((row) => row.name))

  await page.getByRole('link', { name: 'Page 2' }).click()
  await expect(page).toHaveURL('/search/barcelona?page=2')
  await expect(names).toHaveText((data ?? []).slice(12, 24).map((row) => row.name))
  const title = page.getByRole('heading', { name: 'All businesses' })
  await expect(title).toBeFocused()
  await expect(title).toBeInViewport()

  await page.goBack()
  await expect(page).toHaveURL('/search/barcelona')
  await expect(page.getByRole('link', { name: 'Page 1', exact: true })).toHaveAttribute(
    'aria-current',
    'page',
  )
})

test('SEARCH-06: a page past the end shows the last one', once, async ({ page }) => {
  await page.goto('/search?find_loc=Barcelona&page=99')
  await expect(page.getByText(/Page (\d+) of \1\)/)).toBeVisible()
})

test('SEARCH-09 SEARCH-13: typing searches by itself, without accents, cleaned', async ({
  page,
}) => {
  await page.goto('/search')
  const what = page.getByRole('combobox', { name: 'What' })
  await what.fill('PELUQUERIA <b>')
  await expect(page).toHaveURL('/search?find_desc=PELUQUERIA+b')
  await what.fill('peluqueria')
  await expect(page.getByText(/^Peluquería · /).first()).toBeVisible()
  await expect(what).toBeFocused()
  await page.goBack()
  await expect(page).not.toHaveURL(/find_desc/)
})

test('SEARCH-04 SEARCH-14 SEARCH-15: a word in any language leads to its category', async ({ page }) => {
  const lookups: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/rpc/suggest_')) lookups.push(request.url())
  })
  await page.goto('/search')
  const what = page.getByRole('combobox', { name: 'What' })
  await what.fill('p')
  await expect(page).toHaveURL('/search?find_desc=p')
  expect(lookups).toEqual([])
  await what.fill('perruqueria')
  const suggestions = page.getByRole('listbox', { name: 'Suggestions' })
  await suggestions.getByRole('option', { name: /Hair Salons/ }).click()
  await expect(page).toHaveURL('/search?category=Hair+Salons')
  await expect(page.getByRole('heading', { name: 'Hair Salons businesses' })).toBeVisible()
})

test('services and businesses are suggested while typing, by keyboard too', async ({ page, checkAccessibility }) => {
  await page.goto('/search')
  const what = page.getByRole('combobox', { name: 'What' })
  const suggestions = page.getByRole('listbox', { name: 'Suggestions' })
  await what.fill('punci')
  await expect(suggestions.getByRole('option', { name: /Punción seca.*Service/ })).toBeVisible()
  await expect(page).toHaveURL(/find_desc=punci$/)
  await checkAccessibility()
  await what.press('ArrowDown')
  await what.press('Enter')
  await expect(page).toHaveURL(/find_desc=Punci/)
  await expect(page.getByRole('article').first()).toBeVisible()

  await what.fill('talleres larr')
  const shop = suggestions.getByRole('option', { name: /Talleres Larrañaga/ })
  await expect(shop).toContainText('Bilbao')
  await shop.click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Talleres Larrañaga')
})

test("home's first field suggests, and leads to what is chosen", once, async ({ page }) => {
  await page.goto('/')
  const what = page.getByRole('combobox', { name: 'Qué' })
  const suggestions = page.getByRole('listbox', { name: 'Sugerencias' })
  await what.fill('punci')
  await suggestions.getByRole('option', { name: /Punción seca.*Servicio/ }).click()
  await expect(page).toHaveURL(/find_desc=Punci.*&find_loc=/)
  await page.goBack()
  await page.getByRole('combobox', { name: 'Dónde' }).fill('Bilbao')
  await what.fill('perruq')
  await suggestions.getByRole('option', { name: /^perruqueria.*Hair Salons/ }).click()
  await expect(page).toHaveURL('/search?find_loc=Bilbao&category=Hair+Salons')
})

test('a service, a sentence and a typo are understood', once, async ({ page }) => {
  for (const [typed, first] of [
    ['masaje relajante', /spa/i],
    ['cortarse el pelo', /peluquer|perruquer|barber/i],
    ['peluqeria', /peluquer|perruquer/i],
  ] as const) {
    await page.goto(`/search?find_desc=${encodeURIComponent(typed)}`)
    await expect(page.getByRole('article').first()).toContainText(first)
  }
})

test('SEARCH-01 SEARCH-02 SEARCH-04 SEARCH-10: the breadcrumb holds the place and all categories', async ({
  page,
}) => {
  await page.goto('/search?find_loc=Madrid&find_desc=corte')
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' })
  await expect(crumbs.getByRole('link', { name: 'Madrid' })).toHaveAttribute(
    'href',
    '/search?find_loc=Madrid',
  )
  const category = crumbs.getByRole('combobox', { name: 'Category' })
  await expect(category.locator('option').first()).toHaveText('All Categories')
  await expect(category.locator('optgroup[label="Restaurants"] option').first()).toHaveText(
    'All Restaurants',
  )
  await category.selectOption({ label: 'All Restaurants' })
  await expect(page).toHaveURL('/search?find_desc=corte&find_loc=Madrid&category=Restaurants')
  await expect(
    page.getByRole('heading', { name: 'Results for "corte" in Restaurants' }),
  ).toBeVisible()
})

test('filters stand in the address and come back with it', async ({ page, checkAccessibility }) => {
  await page.goto('/search?find_loc=Barcelona')
  await page.getByRole('button', { name: 'Parking' }).click()
  await page.getByRole('button', { name: '4.0+' }).click()
  await expect(page).toHaveURL('/search?find_loc=Barcelona&rating=4&amenities=Parking')
  await page.getByRole('button', { name: /^Filters/ }).click()
  const sheet = page.getByRole('dialog', { name: 'Filters' })
  await expect(sheet.getByRole('checkbox', { name: 'Parking' })).toBeChecked()
  await expect(sheet.getByRole('radio', { name: '4.0 and more' })).toBeChecked()
  await checkAccessibility()
  await sheet.getByRole('button', { name: 'Clear all' }).click()
  await expect(page).toHaveURL('/search?find_loc=Barcelona')
  await expect(page.getByRole('button', { name: /^Filters/ })).toBeFocused()
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Parking' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
})

test('SEARCH-17: no match offers four ways on', async ({ page, checkAccessibility }) => {
  await page.goto('/search?find_desc=xyzzy&find_loc=Madrid')
  await expect(page.getByRole('heading', { name: 'No Results Found' })).toBeVisible()
  for (const way of [
    'Clear filters',
    'Try a different location',
    'Suggestions',
    'Add a business',
  ]) {
    await expect(page.getByRole('heading', { name: way })).toBeVisible()
  }
  await checkAccessibility()
  await page.getByRole('main').getByRole('link', { name: 'Bilbao' }).click()
  await expect(page).toHaveURL('/search?find_desc=xyzzy&find_loc=Bilbao')
})

test('SEARCH-16: no data at all asks for the first business', once, async ({ page }) => {
  await page.route('**/rest/v1/rpc/best_businesses*', (route) =>
    route.fulfill({ json: [], headers: { 'Content-Range': '*/0' } }),
  )
  await page.goto('/search')
  await expect(page.getByRole('heading', { name: 'No Businesses Yet' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Add Your Business', exact: true })).toHaveAttribute(
    'href',
    '/auth?mode=register&role=owner',
  )
})

test('SEARCH-18 SEARCH-19 ERR-44: a failure says so, in place and as a toast', once, async ({ page }) => {
  await page.route('**/rest/v1/rpc/best_businesses*', (route) =>
    route.fulfill({ status: 400, json: { code: '22023', message: 'no' } }),
  )
  await page.goto('/search')
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('Error loading businesses')
  await expect(alert).toContainText('Please try refreshing the page')
  await expect(page.getByText('Failed to load businesses. Please try again.')).toBeVisible()
  await page.unroute('**/rest/v1/rpc/best_businesses*')
  await alert.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByText(/^Showing 12 of/)).toBeVisible()
})

test('ROUTE-09 ROUTE-11: places and categories by slug, of either kind', once, async ({ page }) => {
  await page.goto('/search/sevilla/beauty-spas')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Businesses in Seville')
  await expect(page.getByRole('heading', { name: 'Beauty & Spas businesses' })).toBeVisible()
  for (const [slug, name] of [
    ['beautysvc', 'Beauty & Spas'],
    ['beauty-salon', 'Beauty Salon'],
    ['spa-wellness', 'Spa & Wellness'],
  ]) {
    await page.goto(`/category/${slug}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
    await expect(page.getByText(/^Showing \d+ of/)).toBeVisible()
  }
})

test('ROUTE-10: the advanced search leads to the results', once, async ({ page, checkAccessibility }) => {
  await page.goto('/search/advanced')
  await page.getByLabel('What').fill('hotel')
  await page.getByLabel('Where').fill('Andorra')
  await page.getByLabel('Category').selectOption({ label: 'All Hotels & Travel' })
  await page.getByRole('radio', { name: '3.5 and more' }).check()
  await page.getByRole('checkbox', { name: 'Free Wi-Fi' }).check()
  await checkAccessibility()
  await page.getByRole('button', { name: 'Show results' }).click()
  await expect(page).toHaveURL(
    '/search?find_desc=hotel&find_loc=Andorra&category=Hotels+%26+Travel&rating=3.5&amenities=Free+Wi-Fi',
  )
})

test('SEARCH-02: the category of an address is chosen, and stays so once all of them are there', async ({ page }) => {
  for (const path of ['/search?category=Restaurants', '/category/restaurants']) {
    await page.goto(path)
    const select = page.getByRole('combobox', { name: 'Category' })
    await expect.poll(() => select.getByRole('option').count()).toBeGreaterThan(10)
    expect(await select.inputValue()).toBe('restaurants')
    expect(await select.locator('option:checked').textContent()).toBe('All Restaurants')
  }
})

test('a business and back: the list keeps its scroll position, whether free times load or not', async ({ page }) => {
  await page.goto('/search/barcelona')
  await expect(page.locator('#first-view')).toHaveCount(0)
  await expect(page.getByRole('article')).toHaveCount(12)
  const last = page.getByRole('article').last()
  await expect(last).not.toBeInViewport()
  const link = last.getByRole('link')
  const name = (await link.textContent()) ?? ''
  await link.click()
  // The URL changes before the page is shown, so wait for its heading.
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('article').filter({ hasText: name }).last()).toBeInViewport()
  await expect(page.getByRole('article').first()).not.toBeInViewport()
})

test('CITY-01 CITY-02 CITY-03 CITY-04 ROUTE-12: a city', async ({ page, checkAccessibility }) => {
  await page.goto('/c/sevilla')
  await expect(page).toHaveURL('/c/seville')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Businesses in Seville')
  await expect(page.getByText(/^\d+ businesses$/).first()).toBeVisible()
  await expect(page.getByRole('heading', { name: 'About Seville' })).toBeVisible()
  const part = (name: string) => page.getByRole('region', { name, exact: true })
  await expect(part('Recently added').getByRole('article')).toHaveCount(6)
  await expect(part('Top rated in Seville').getByRole('article')).toHaveCount(4)
  await expect(page.locator('section').filter({ hasText: 'Nearby' }).getByRole('link').first()).toContainText(/km away · \d+ business/)
  await expect(page.getByRole('link', { name: 'All businesses in Seville' })).toHaveAttribute(
    'href',
    '/search?find_loc=Seville',
  )
  await checkAccessibility()
  await page
    .getByRole('link', { name: /^Restaurants/ })
    .first()
    .click()
  await expect(page).toHaveURL('/c/seville/restaurants')
})

test('CITY-05 CITY-06 CITY-07 CITY-08 CITY-09 ROUTE-13: a city and a category', async ({
  page,
  checkAccessibility,
}) => {
  await page.goto('/c/andorra/restaurants')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Restaurants in Andorra')
  await expect(page.getByText(/^\d+ business(es)?$/).first()).toBeVisible()
  const section = (name: string) =>
    page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) })
  await expect(section('Other categories in Andorra').getByRole('link')).toHaveCount(10)
  await expect(section('Popular in Andorra').getByRole('link')).toHaveCount(5)
  await checkAccessibility()
})

test('CONST-08: typing searches after a debounce of 300 ms', once, async ({ page }) => {
  await page.clock.install()
  await page.goto('/search')
  await expect(page.getByRole('article').first()).toBeVisible()
  await page.clock.pauseAt(Date.now() + 3_600_000)
  await page.getByRole('combobox', { name: 'What' }).fill('hotel')
  await page.clock.runFor(299)
  await expect(page).toHaveURL('/search')
  await page.clock.runFor(1)
  await expect(page).toHaveURL('/search?find_desc=hotel')
})
