import { service } from './accounts'
import { bookableShopOf } from './bookable-shops'
import { expect, newPerson, once, test } from './fixtures'

test('a category that does not exist is said to be none, and leads to those there are', async ({ page, checkAccessibility }) => {
  await page.goto('/category/space-travel')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Category not found')
  await expect(page).toHaveTitle('Category not found · Plaza')
  await checkAccessibility()
  await expect(page.getByRole('link', { name: 'Search for “space travel”' })).toHaveAttribute('href', '/search?find_desc=space+travel')
  await page.goto('/c/madrid/space-travel')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Category not found')
  await page.getByRole('main').getByRole('link', { name: 'Restaurants' }).click()
  await expect(page).toHaveURL('/c/madrid/restaurants')
})

test('missing pages have status 404, for clients without scripts', once, async ({ request }) => {
  for (const path of ['/category/none', '/search/sevilla/none', '/c/none', '/c/none/restaurants', '/c/seville/none', '/business/no-such']) {
    expect((await request.get(path)).status(), path).toBe(404)
    expect((await request.head(path)).status(), path).toBe(404)
  }
  for (const path of ['/category/restaurants', '/search/el-born', '/search/sevilla/restaurants', '/c/seville', '/c/seville/restaurants']) {
    expect((await request.get(path)).status(), path).toBe(200)
  }
})

test('the results of a category have its title', once, async ({ page }) => {
  await page.goto('/category/restaurants')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Restaurants')
  await expect(page.getByRole('heading', { level: 2, name: 'Businesses', exact: true })).toBeVisible()
})

test("a business's hours are in its own time, which is said to those whose clocks show another", once, async ({ browser }) => {
  const shop = await bookableShopOf(await newPerson())
  for (const [timezoneId, isSaid] of [['Europe/Madrid', false], ['America/New_York', true]] as const) {
    const page = await browser.newPage({ timezoneId, baseURL: test.info().project.use.baseURL ?? '' })
    await page.goto(`/business/${shop.id}`)
    await expect(page.getByRole('heading', { name: 'Business hours' })).toBeVisible()
    await expect(page.getByRole('table', { name: 'Business hours' })).toBeVisible()
    // Only the client knows the browser's time zone.
    await expect(page.locator('#first-view')).toHaveCount(0)
    await expect(page.getByText(/^(Spain|Andorra) time$/)).toHaveCount(isSaid ? 1 : 0)
    await page.close()
  }
})

test('a rating says where its reviews are', once, async ({ page }) => {
  const shop = await bookableShopOf(await newPerson())
  const { error } = await service().from('businesses').update({
    rating: 4, user_ratings_total: 138, rating_sources: [{ source: 'Guía local', rating: 4, count: 136 }],
  }).eq('id', shop.id)
  expect(error).toBeNull()
  await page.goto(`/business/${shop.id}`)
  await expect(page.getByRole('main')).toContainText('138 reviews(2 on Plaza, 136 at Guía local)')
})

test('S-01: offering a business leads to its form', once, async ({ page, person }) => {
  expect(person).toBeTruthy()
  await page.goto('/')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Add your business' }).click()
  await expect(page).toHaveURL('/become-seller')
})
