import type { Page } from '@playwright/test'
import { service } from './accounts'
import { bookable } from './bookable-shops'
import { api, disableIncludedData, enter, expect, newPerson, once, test } from './fixtures'
import { shopOf } from './owners'

const demo = 'cabells-de-leixample'

test('BIZ-01 ROUTE-14 ROUTE-15 ROUTE-16 C-27: one business at all its addresses', async ({
  page,
}) => {
  const { data } = await api()
    .from('businesses')
    .select('id, display_id, name')
    .eq('slug', demo)
    .single()
  for (const address of [
    `/business/${data?.id}`,
    `/business/${demo}`,
    `/biz/${demo}`,
    `/barcelona/hair/${data?.id}/cabells`,
    `/barcelona/hair/${data?.display_id}/cabells`,
  ]) {
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(data?.name ?? '')
    await expect(page).toHaveURL(address)
  }
})

test('BIZ-04 BIZ-05 BIZ-06 BIZ-07 BIZ-08 BIZ-09 BIZ-11 BIZ-12 BIZ-13: everything a business says', async ({
  page,
  checkAccessibility,
}) => {
  await page.goto(`/business/${demo}`)
  await expect(page).toHaveTitle("Cabells de l'Eixample · l'Eixample, Barcelona · Plaza")
  await expect(page.getByText(/^Rated \d\.\d out of 5$/).first()).toBeAttached()
  await expect(page.getByRole('link', { name: /^\d+ reviews$/ })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Message', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Favorite' })).toBeVisible()
  // On phones only in the bar at the bottom.
  await expect(page.getByRole('button', { name: 'Book Now' })).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Book Now' })).toBeInViewport()
  await expect(page.getByText('No photos available')).toBeVisible()
  for (const title of ['Services', 'About', 'Business hours', 'Amenities', 'Location', 'Reviews']) {
    await expect(page.getByRole('heading', { level: 2, name: title, exact: true })).toBeVisible()
  }
  const services = page.locator('#services').getByRole('listitem')
  await expect(services).toHaveCount(4)
  await page.getByRole('button', { name: 'View all services' }).click()
  await expect.poll(() => services.count()).toBeGreaterThan(4)
  const names = await services.getByRole('heading').allTextContents()
  expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'es')))
  await expect(page.getByRole('row', { name: /wednesday.* 10:00 – 20:00/i })).toBeVisible()
  await expect(page.getByText('Answer from').first()).toBeVisible()
  const reviews = page.locator('#reviews article')
  await expect(reviews).toHaveCount(6)
  await page.getByRole('button', { name: 'Show more reviews' }).click()
  await expect.poll(() => reviews.count()).toBeGreaterThan(6)
  await checkAccessibility()
})

test('BIZ-03: a business that is not there', once, async ({ page, checkAccessibility }) => {
  await page.goto('/business/no-such-business')
  await expect(page.getByRole('heading', { name: 'Business Not Found' })).toBeVisible()
  await expect(
    page.getByText("The business you're looking for doesn't exist or may have been removed."),
  ).toBeVisible()
  await checkAccessibility()
})

test('BIZ-02: placeholders show first', once, async ({ page }) => {
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await disableIncludedData(page)
  await page.route('**/rest/v1/businesses*', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`/business/${demo}`, { waitUntil: 'commit' })
  await expect(page.getByText('Loading business', { exact: true })).toBeAttached()
  answer()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('BIZ-10 BIZ-11 BIZ-12 BIZ-13 BOOK-02 ERR-70: missing data is reported', async ({ page, person }) => {
  expect(person.id).not.toBe('')
  await page.route('**/rest/v1/businesses*', async (route) => {
    const answer = await route.fetch()
    const body = await answer.json()
    const rows = Array.isArray(body) ? body : [body]
    const bare = rows.map((row: object) => ({ ...row, services: [], photos: [], hours: null }))
    await route.fulfill({ response: answer, json: Array.isArray(body) ? bare : bare[0] })
  })
  await page.route('**/rest/v1/reviews*', (route) =>
    route.fulfill({ json: [], headers: { 'Content-Range': '*/0' } }),
  )
  await page.goto(`/business/${demo}`)
  for (const text of [
    'No photos available',
    'No reviews yet.',
    'No services available.',
    'No business hours information available.',
  ]) {
    await expect(page.getByText(text)).toBeVisible()
  }
  await expect(page.getByText('No bookable services available.').first()).toBeVisible()
})

/** Gives each business four photos. */
async function givePhotos(page: Page): Promise<void> {
  await disableIncludedData(page)
  await page.route('**/rest/v1/businesses*', async (route) => {
    const answer = await route.fetch()
    const body = await answer.json()
    const photos = ['a', 'b', 'c', 'd'].map((id) => ({
      id,
      photo_url: `/og-home.png?${id}`,
      caption: null,
    }))
    const withPhotos = (row: object) => ({ ...row, photos })
    await route.fulfill({
      response: answer,
      json: Array.isArray(body) ? body.map(withPhotos) : withPhotos(body),
    })
  })
}

test('BIZ-10: photos open in a lightbox that the keyboard drives', async ({ page }) => {
  await givePhotos(page)
  await page.goto(`/business/${demo}`)
  await page.getByRole('button', { name: 'View all 4 photos' }).click()
  const lightbox = page.getByRole('dialog', { name: 'Photos' })
  await expect(lightbox.getByText('1 / 4')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(lightbox.getByText('2 / 4')).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect(lightbox.getByText('4 / 4')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(lightbox).toBeHidden()
  await expect(page.getByRole('button', { name: 'View all 4 photos' })).toBeFocused()
})

test('BIZ-10: the next photos are fetched before, a swipe shows them, going back shuts the lightbox', async ({
  page,
}) => {
  await givePhotos(page)
  const fetched: string[] = []
  page.on('request', (request) => fetched.push(request.url()))
  await page.goto('/search')
  await page.goto(`/business/${demo}`)
  await page.getByRole('button', { name: 'View all 4 photos' }).click()
  const lightbox = page.getByRole('dialog', { name: 'Photos' })
  await expect(lightbox.getByText('1 / 4')).toBeVisible()
  await expect.poll(() => fetched.some((url) => url.endsWith('/og-home.png?d'))).toBe(true)
  const devtools = await page.context().newCDPSession(page)
  const swipe = async (from: number, to: number) => {
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: from, y: 400 }] })
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x: to, y: 402 }] })
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  }
  await swipe(300, 100)
  await expect(lightbox.getByText('2 / 4')).toBeVisible()
  await swipe(100, 300)
  await swipe(100, 120)
  await expect(lightbox.getByText('1 / 4')).toBeVisible()
  await page.goBack()
  await expect(lightbox).toBeHidden()
  await expect(page).toHaveURL(`/business/${demo}`)
  // The close button of the lightbox goes back, too: one more step leads to the previous page.
  await page.getByRole('button', { name: 'View all 4 photos' }).click()
  await lightbox.getByRole('button', { name: 'Close' }).click()
  await expect(lightbox).toBeHidden()
  await expect(page).toHaveURL(`/business/${demo}`)
  await page.goBack()
  await expect(page).toHaveURL('/search')
})

test('FAV-01 FAV-03 FAV-04 ERR-41: a favourite is kept, survives a reload and can be dropped', async ({
  page,
  person,
}) => {
  const business = await bookable()
  await page.goto(`/business/${business.id}`)
  const heart = page.getByRole('button', { name: 'Favorite' })
  const toast = page.getByRole('region', { name: 'Message' })
  await heart.click()
  await expect(heart).toHaveAttribute('aria-pressed', 'true')
  await expect(toast).toContainText('Added to favorites')
  await expect(toast).toContainText(business.name)
  await page.reload()
  await expect(heart).toHaveAttribute('aria-pressed', 'true')
  const { data } = await person.client.from('favorites').select('business_id')
  expect(data).toEqual([{ business_id: business.id }])
  await heart.click()
  await expect(toast).toContainText('Removed from favorites')
  await expect(heart).toHaveAttribute('aria-pressed', 'false')
})

test('ERR-40: a favourite that could not be kept is taken back', once, async ({ page, person }) => {
  expect(person.id).not.toBe('')
  await page.route('**/rest/v1/favorites*', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 500, json: { code: 'XX000', message: 'no' } })
      : route.continue(),
  )
  await page.goto(`/business/${demo}`)
  const heart = page.getByRole('button', { name: 'Favorite' })
  await heart.click()
  await expect(page.getByText('Could not add to favorites')).toBeVisible()
  await expect(heart).toHaveAttribute('aria-pressed', 'false')
})

test('FAV-02: a visitor is led to sign-in and the way back is kept', once, async ({ page }) => {
  await page.goto(`/business/${demo}?date=2027-01-05`)
  await page.getByRole('button', { name: 'Favorite' }).click()
  await expect(page).toHaveURL('/auth')
  await expect(page.getByText('Authentication required')).toBeVisible()
  expect(await page.evaluate(() => sessionStorage.getItem('plaza.redirect'))).toBe(
    `/business/${demo}?date=2027-01-05`,
  )
})

test('MSG-01 MSG-02: Message opens the conversation, after sign-in for a visitor', once, async ({
  page,
  browser,
}) => {
  const { data } = await api().from('businesses').select('id').eq('slug', demo).single()
  await page.goto(`/business/${demo}`)
  await page.getByRole('link', { name: 'Message', exact: true }).click()
  await expect(page).toHaveURL('/auth')
  expect(await page.evaluate(() => sessionStorage.getItem('plaza.redirect'))).toBe(
    `/messages?business=${data?.id}`,
  )
  const signedIn = await browser.newPage()
  await enter(signedIn, await newPerson())
  await signedIn.goto(`/business/${demo}`)
  await expect(signedIn.getByRole('link', { name: 'Message', exact: true })).toHaveAttribute(
    'href',
    `/messages?business=${data?.id}`,
  )
  await signedIn.close()
})

test('ROUTE-36 S-52: a stored redirect is followed silently, inside this site only', once, async ({
  page,
}) => {
  const answers: Record<string, string> = {
    '/old/address': `/business/${demo}`,
    '/evil/address': '//evil.example/',
  }
  await page.route('**/rest/v1/url_redirects*', (route) => {
    const asked =
      new URL(route.request().url()).searchParams.get('old_url')?.replace('eq.', '') ?? ''
    const target = answers[asked]
    return route.fulfill({ json: target === undefined ? [] : [{ new_url: target }] })
  })
  await page.goto('/old/address')
  await expect(page).toHaveURL(`/business/${demo}`)
  await page.goto('/evil/address')
  await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
})

test('ROUTE-37 C-26: a migrated business moves to its own address', once, async ({ page }) => {
  const path = '/barcelona/hair/B-000017/cabells'
  await page.route('**/rest/v1/businesses*', async (route) => {
    const answer = await route.fetch()
    const body = await answer.json()
    const moved = (row: object) => ({ ...row, url_path: path, migrated_url: true })
    await route.fulfill({
      response: answer,
      json: Array.isArray(body) ? body.map(moved) : body && moved(body),
    })
  })
  const { data } = await api().from('businesses').select('id').eq('slug', demo).single()
  await page.goto(`/other/place/${data?.id}/name`)
  await expect(page).toHaveURL(path)
  await page.goto(`/biz/${demo}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page).toHaveURL(`/biz/${demo}`)
})

test('BIZ-14: open now, by the clock of the business, also past midnight', once, async ({ page }) => {
  const shop = await shopOf(await newPerson('Laia Serra'))
  const hours = { structured: { friday: { open: '22:00', close: '03:00', isOpen: true } } }
  const { error } = await service()
    .from('businesses')
    .update({ time_zone: 'Atlantic/Canary', hours })
    .eq('id', shop.id)
  expect(error).toBeNull()
  // In July the Canary Islands are an hour ahead of UTC.
  for (const [now, words] of [
    ['2027-07-02T20:59:00Z', 'Opens 22:00'],
    ['2027-07-02T21:00:00Z', 'Open until 03:00'],
    ['2027-07-03T01:59:00Z', 'Open until 03:00'],
    ['2027-07-03T02:00:00Z', 'Opens Fri 22:00'],
  ] as const) {
    await page.clock.setFixedTime(now)
    await page.goto(`/business/${shop.id}`)
    await expect(page.locator('header').getByText(words, { exact: true })).toBeVisible()
  }
})
