import type { Request } from '@playwright/test'
import { bookable, enter, expect, newPerson, once, test } from './fixtures'

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

test('HOME-05 HOME-07 HOME-08 LOC-02: a chosen city leads the page', async ({ page }) => {
  await page.goto('/')
  await page
    .getByRole('button', { name: /Andorra/ })
    .first()
    .click()
  await page.getByPlaceholder('Search cities...').fill('Bilb')
  await page
    .getByRole('option', { name: /Bilbao/ })
    .or(page.getByRole('button', { name: /Bilbao/ }))
    .first()
    .click()
  const top = page.getByRole('heading', { name: 'Top Rated in Bilbao' })
  await top.scrollIntoViewIfNeeded()
  await expect(top).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(4)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Top Rated in Bilbao' })).toBeAttached()
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

test('NAV-02 NAV-03 NAV-05: what a role does not have is not offered', async ({ page }) => {
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

test('what a first screen needs comes with its page; who is signed in asks as themselves', once, async ({
  page,
  browser,
}) => {
  const shop = await bookable(1)
  const asked: string[] = []
  const watch = (request: Request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/rest/v1/')) asked.push(pathname.slice('/rest/v1/'.length))
  }
  page.on('request', watch)
  await page.goto(`/business/${shop.id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(shop.name)
  await expect(page.getByRole('heading', { name: /review/i }).first()).toBeVisible()
  expect(asked).not.toContain('businesses')
  expect(asked).not.toContain('categories-plaza')
  await page.goto('/search?find_loc=Barcelona&category=Hair+Salons')
  await expect(page.getByRole('article').first()).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Category' })).toHaveValue('hair')
  await expect(page.getByText(/^Next: /).first()).toBeVisible()
  for (const name of ['categories-plaza', 'rpc/search_businesses', 'rpc/promoted_businesses']) {
    expect(asked).not.toContain(name)
  }
  await page.goto('/c/seville')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Businesses in Seville')
  for (const name of ['cities', 'city_counts', 'category_counts', 'url_redirects']) {
    expect(asked).not.toContain(name)
  }
  await page.goBack()
  asked.length = 0
  // Once used, an answer is gone: the next search asks.
  await page.getByRole('button', { name: '4.0+' }).click()
  await expect.poll(() => asked).toContain('rpc/search_businesses')

  const other = await (await browser.newContext()).newPage()
  await enter(other, await newPerson())
  asked.length = 0
  other.on('request', watch)
  await other.goto(`/business/${shop.id}`)
  await expect(other.getByRole('heading', { level: 1 })).toHaveText(shop.name)
  expect(asked).toContain('businesses')
  await other.context().close()
})
