import type { Page, Route } from '@playwright/test'
import { disableIncludedData, expect, once, responsesHandled, test } from './fixtures'

// How search interprets texts, and what it remembers and suggests.

const what = (page: Page) => page.getByRole('combobox', { name: 'What' })
const where = (page: Page) => page.getByRole('combobox', { name: 'Where' })
const recent = (page: Page) => page.getByRole('listbox', { name: /^Recent searches/ })
const cards = (page: Page) => page.getByRole('article')

type Held = { began: Promise<void>; letGo: () => void; ended: Promise<void> }

/** Blocks the responses to matching requests until they are released. */
async function hold(page: Page, pattern: string): Promise<Held> {
  let letGo = () => {}
  let begin = () => {}
  let end = () => {}
  const began = new Promise<void>((resolve) => {
    begin = resolve
  })
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  await page.route(pattern, async (route: Route) => {
    const response = await route.fetch()
    begin()
    await held
    // It may have been aborted meanwhile.
    await route.fulfill({ response }).catch(() => undefined)
    end()
  })
  return { began, letGo, ended }
}

test('a result names the service that was meant, with its price, and nothing moves for it', async ({
  page,
  checkAccessibility,
}) => {
  const matches = await hold(page, '**/rpc/matching_services*')
  await page.goto('/search?find_desc=masaje+relajante')
  const second = cards(page).nth(1)
  await expect(second).toBeVisible()
  await matches.began
  const before = await second.boundingBox()
  await expect(second).not.toContainText('Masaje relajante')
  matches.letGo()
  await expect(second).toContainText(/Masaje relajante.*\$\d/)
  expect(await second.boundingBox()).toEqual(before)
  await checkAccessibility()
})

test('how a text was understood is said, once, and can be taken over', async ({ page, checkAccessibility }) => {
  await page.goto('/search?find_desc=peluqeria+xyzzy')
  const status = page.getByRole('main').getByRole('status')
  await expect(status).toHaveCount(1)
  await expect(status).toContainText(/^Showing \d+ of \d+ results/)
  await expect(status).toContainText('Showing results for peluquería. No business has “peluqeria” or “xyzzy”.')
  await checkAccessibility()
  await status.getByRole('link', { name: 'peluquería' }).click()
  await expect(page).toHaveURL('/search?find_desc=peluquer%C3%ADa')
  await expect(what(page)).toHaveValue('peluquería')
  await expect(status).toContainText(/results/)
  await expect(status).not.toContainText('No business has')
})

test('searches that were made are suggested; each can be removed, and all forgotten', async ({
  page,
  checkAccessibility,
}) => {
  await page.goto('/search')
  await expect(cards(page).first()).toBeVisible()
  await what(page).focus()
  await expect(recent(page)).toBeHidden()
  // Typing alone does not store a recent search.
  await what(page).fill('gim')
  await expect(page).toHaveURL('/search?find_desc=gim')
  for (const text of ['spa', 'pilates', 'yoga']) {
    await what(page).fill(text)
    await what(page).press('Enter')
    await expect(page).toHaveURL(`/search?find_desc=${text}`)
  }
  await what(page).fill('')
  const options = recent(page).getByRole('option')
  await expect(options).toHaveText([/^yoga/, /^pilates/, /^spa/, 'Clear recent searches'])
  await checkAccessibility()
  // By keyboard: the second one is deleted, the next one is selected.
  await what(page).press('ArrowDown')
  await what(page).press('ArrowDown')
  await what(page).press('Delete')
  await expect(options).toHaveText([/^yoga/, /^spa/, 'Clear recent searches'])
  await what(page).press('Enter')
  await expect(page).toHaveURL('/search?find_desc=spa')
  await expect(what(page)).toHaveValue('spa')
  await what(page).fill('')
  await expect(options).toHaveText([/^spa/, /^yoga/, 'Clear recent searches'])

  await page.reload()
  await what(page).fill('')
  await expect(options).toHaveText([/^spa/, /^yoga/, 'Clear recent searches'])
  await options.first().getByText('×').click()
  await expect(options).toHaveText([/^yoga/, 'Clear recent searches'])
  // At once: the page may be closed next.
  const kept = await options.last().evaluate((option: HTMLElement) => {
    option.click()
    return localStorage.getItem('plaza.recent-searches')
  })
  expect(kept).toBe('[]')
  await expect(recent(page)).toBeHidden()
  await page.reload()
  await what(page).fill('')
  await expect(cards(page).first()).toBeVisible()
  await what(page).press('ArrowDown')
  await expect(recent(page)).toBeHidden()
})

test('a search whose result is followed was made, from home too', once, async ({ page }) => {
  await page.goto('/')
  await page.getByRole('combobox', { name: 'Qué' }).fill('masaje')
  await page.getByRole('combobox', { name: 'Dónde' }).fill('Barcelona')
  await page.getByRole('button', { name: 'Buscar' }).click()
  await expect(page).toHaveURL('/search?find_desc=masaje&find_loc=Barcelona')
  await what(page).fill('corte')
  await expect(page).toHaveURL(/find_desc=corte/)
  await cards(page).first().getByRole('link').click()
  await expect(page).toHaveURL(/\/business\//)
  await page.goto('/')
  await page.getByRole('combobox', { name: 'Qué' }).focus()
  const options = page.getByRole('listbox', { name: /^Búsquedas recientes/ }).getByRole('option')
  await expect(options).toHaveText([/^corte.*Barcelona/, /^masaje.*Barcelona/, 'Borrar búsquedas recientes'])
  await options.nth(1).click()
  await expect(page).toHaveURL('/search?find_desc=masaje&find_loc=Barcelona')
})

test('DATA-23: signed in, searches made elsewhere are suggested, too, and are removed there', once, async ({
  page,
  person,
}) => {
  const kept = () => person.client.from('recent_searches').select('query, location').order('created_at')
  await person.client.from('recent_searches').insert({ query: 'elsewhere', location: 'Bilbao' })
  await page.goto('/search')
  await what(page).fill('spa')
  await what(page).press('Enter')
  await expect.poll(async () => (await kept()).data).toEqual([
    { query: 'elsewhere', location: 'Bilbao' },
    { query: 'spa', location: null },
  ])
  await what(page).fill('')
  const options = recent(page).getByRole('option')
  await expect(options).toHaveText([/^spa/, /^elsewhere.*Bilbao/, 'Clear recent searches'])
  await options.nth(1).getByText('×').click()
  await expect.poll(async () => (await kept()).data).toEqual([{ query: 'spa', location: null }])
})

test('places are suggested, those with businesses and those without, by keyboard too', async ({
  page,
  checkAccessibility,
}) => {
  await page.goto('/search')
  const places = page.getByRole('listbox', { name: 'Places' })
  await where(page).focus()
  await expect(places.getByRole('option').first()).toHaveText('Madrid')
  await where(page).fill('barcel')
  await expect(places.getByRole('option', { name: /^Barcelona.*\d+ businesses$/ })).toBeVisible()
  await where(page).fill('giron')
  await expect(places.getByRole('option', { name: /^Girona.*Spain$/ })).toBeVisible()
  await checkAccessibility()
  await where(page).press('ArrowDown')
  await where(page).press('Enter')
  await expect(page).toHaveURL('/search?find_loc=Girona')
})

test('the last of two searches wins, and the last of two texts', async ({ page }) => {
  await disableIncludedData(page)
  await page.goto('/search')
  await expect(cards(page).first()).toBeVisible()
  const first = await hold(page, '**/rpc/best_businesses?*find_desc=masaje*')
  await what(page).fill('masaje')
  await first.began
  await what(page).fill('pilates')
  await expect(cards(page).first()).toContainText(/pilates/i)
  first.letGo()
  await first.ended
  await responsesHandled(page)
  await expect(page.getByRole('heading', { name: 'Results for "pilates"', exact: true })).toBeVisible()
  await expect(cards(page).first()).toContainText(/pilates/i)

  const bar = await hold(page, '**/rpc/suggest_places?*term=bar')
  await where(page).fill('bar')
  await bar.began
  await where(page).fill('bilb')
  const option = page.getByRole('listbox', { name: 'Places' }).getByRole('option').first()
  await expect(option).toHaveText(/^Bilbao/)
  bar.letGo()
  await bar.ended
  await responsesHandled(page)
  await expect(option).toHaveText(/^Bilbao/)
})

test('forward and back bring a list back as it was, without asking again', async ({ page }) => {
  await page.goto('/search?find_desc=masaje')
  // All rows are rendered before the first navigation. Later this attribute is gone while some still
  // wait, and the page grows when they come.
  await expect(page.locator(':root')).not.toHaveAttribute('data-first')
  const showing = page.getByText(/^Showing \d/)
  const unfiltered = (await showing.textContent()) ?? ''
  await page.getByRole('button', { name: 'Parking' }).click()
  await expect(page).toHaveURL(/amenities=Parking/)
  await expect(showing.filter({ hasNotText: unfiltered })).toBeVisible()
  await expect(page.getByText(/Masaje .*\$/).first()).toBeVisible()
  const last = cards(page).last()
  await last.scrollIntoViewIfNeeded()
  const place = await page.evaluate(() => window.scrollY)
  await last.getByRole('link').click()
  await expect(page.getByRole('heading', { name: 'Services' })).toBeVisible()
  const asked: string[] = []
  page.on('request', (request) => {
    if (/rest\/v1\/rpc\/(best|promoted|count|search|next|matching|suggest)/.test(request.url())) asked.push(request.url())
  })
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Parking' })).toHaveAttribute('aria-pressed', 'true')
  await expect(cards(page).last()).toBeInViewport()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(place)
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Parking' })).toHaveAttribute('aria-pressed', 'false')
  await page.goForward()
  await expect(page.getByText(/Masaje .*\$/).first()).toBeVisible()
  expect(asked).toEqual([])
})
