import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Locator, Page } from '@playwright/test'
import { service } from './accounts'
import { expect, newPerson, once, test } from './fixtures'
import { makeSeller, type Shop, shopOf } from './owners'

const isTouch = () => test.info().project.name === 'phone'
const pinOf = (page: Page) => page.getByRole('application', { name: /^Pin of the business/ })
const mapOf = (page: Page) => page.getByRole('region', { name: 'Map of the position' })
const latitudeOf = (page: Page) => page.getByLabel('Latitude')
const longitudeOf = (page: Page) => page.getByLabel('Longitude')

/** Stores a position for a business. */
async function locate({ id }: Shop): Promise<void> {
  const at = { latitude: 42.5063, longitude: 1.5218 }
  const { error } = await service().from('businesses').update(at).eq('id', id)
  if (error) throw error
}

async function middleOf(element: Locator): Promise<{ x: number; y: number }> {
  const box = await element.boundingBox()
  if (!box) throw new Error('it is not on the page')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Scrolls the map to the middle of the screen and waits until it is rendered. */
async function showMap(page: Page): Promise<void> {
  await longitudeOf(page).evaluate((field) => field.scrollIntoView({ block: 'end' }))
  await expect(page.locator('[data-map=ready]')).toBeVisible()
}

/** Drags by touch on the phone, by mouse elsewhere. */
async function drag(page: Page, element: Locator, dx: number, dy: number): Promise<void> {
  const { x, y } = await middleOf(element)
  if (isTouch()) {
    const client = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
      client.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] })
    await touch('touchStart', { x, y })
    await touch('touchMove', { x: x + dx / 2, y: y + dy / 2 })
    await touch('touchMove', { x: x + dx, y: y + dy })
    await touch('touchEnd')
    return
  }
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + dx, y + dy, { steps: 3 })
  await page.mouse.up()
}

test('OWNER-05 RULE-14: the pin of a business is set on a map, by hand, by keys and by numbers', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const shop = await shopOf(person)
  await page.goto(`/business/edit/${shop.id}`)
  await expect(page.getByRole('combobox', { name: 'Town' })).toHaveValue('andorra-la-vella')
  await expect(latitudeOf(page)).toHaveValue('')
  await showMap(page)
  await expect(pinOf(page)).toHaveCount(0)

  // Pressed slightly east of the town's centre.
  const middle = await middleOf(mapOf(page))
  const [x, y] = [middle.x + 30, middle.y]
  await (isTouch() ? page.touchscreen.tap(x, y) : page.mouse.click(x, y))
  await expect(latitudeOf(page)).toHaveValue(/^42\.50\d{2,4}$/)
  await expect(longitudeOf(page)).toHaveValue(/^1\.5[4-6]\d{2,4}$/)
  const stands = page.getByRole('status').filter({ hasText: 'The pin stands' })
  await expect(stands).toHaveText(/^The pin stands \d\.\d km from the centre of Andorra la Vella/)
  await checkAccessibility()

  const before = Number(await latitudeOf(page).inputValue())
  await drag(page, pinOf(page), 0, 40)
  await expect.poll(async () => Number(await latitudeOf(page).inputValue())).toBeLessThan(before)

  // By keyboard only: the pin comes after the map, which the keys move, too.
  const dragged = Number(await latitudeOf(page).inputValue())
  const east = await longitudeOf(page).inputValue()
  await pinOf(page).focus()
  await page.keyboard.press('ArrowUp')
  await expect
    .poll(async () => Number(await latitudeOf(page).inputValue()))
    .toBeGreaterThan(dragged)
  await expect(longitudeOf(page)).toHaveValue(east)
  await expect(pinOf(page)).toBeFocused()

  // After typing another position, the pin is in view again.
  await latitudeOf(page).fill('42.5562')
  await longitudeOf(page).fill('1,5332')
  await expect(stands).toHaveText(/ 5\.6 km from the centre of Andorra la Vella\.$/)
  await expect(pinOf(page)).toBeInViewport()
  // A town whose businesses no other test counts.
  await page.getByRole('combobox', { name: 'Town' }).selectOption('Murcia')
  await expect(stands).toHaveText(/ \d{3} km from the centre of Murcia\.$/)
  await expect(pinOf(page)).not.toBeInViewport()
  await page.getByRole('button', { name: 'Use the centre of Murcia' }).click()
  await expect.poll(async () => (await middleOf(pinOf(page))).x).toBeCloseTo(middle.x, -1)

  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Business Updated')).toBeVisible()
  const { data } = await service()
    .from('businesses')
    .select('latitude, longitude')
    .eq('id', shop.id)
    .single()
  expect(data?.latitude).toBeCloseTo(37.99, 1)
  expect(data?.longitude).toBeCloseTo(-1.13, 1)
})

test('OWNER-05: without a map the position is entered as numbers', once, async ({
  page,
  person,
  checkAccessibility,
}) => {
  await makeSeller(person)
  const missing = page.getByText('The map cannot be shown in this browser.')
  // The worker that parses the tiles fails to load.
  await page.route('**/maplibre-gl-worker*', (route) => route.abort())
  await page.goto('/business/new')
  await longitudeOf(page).scrollIntoViewIfNeeded()
  await expect(missing).toBeVisible()
  await page.unrouteAll()
  // The browser has no WebGL.
  await page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null
  })
  await page.goto('/business/new')
  await longitudeOf(page).scrollIntoViewIfNeeded()
  await expect(missing).toBeVisible()
  await checkAccessibility()
  await latitudeOf(page).fill('42.5')
  await longitudeOf(page).fill('1.5')
  await expect(page.getByText('The pin stands at 42.5, 1.5.')).toBeVisible()
})

test('BIZ-09: a business is shown on a map where its position is known', once, async ({ page }) => {
  const owner = await newPerson()
  const shop = await shopOf(owner)
  const region = page.getByRole('region', { name: 'Map of the location' })
  const card = page.getByRole('heading', { name: 'Location', exact: true })
  let libraries = 0
  page.on('request', (request) => {
    if (request.url().includes('maplibre-gl-worker')) libraries++
  })
  await page.goto(`/business/${shop.id}`)
  await card.scrollIntoViewIfNeeded()
  await expect(page.getByRole('link', { name: 'Directions' })).toBeInViewport()
  await expect(region).toHaveCount(0)

  await locate(shop)
  // The same URL again would be a reload, which restores the scroll position.
  await page.goto('/about')
  await page.goto(`/business/${shop.id}`)
  await expect(card).toBeAttached()
  expect(libraries).toBe(0)
  await card.scrollIntoViewIfNeeded()
  await expect(region).toBeVisible()
  await expect(page.getByRole('link', { name: 'IGN España' })).toBeVisible()
  expect(libraries).toBeGreaterThan(0)
  // The colours follow the theme.
  const light = await brightnessOf(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => brightnessOf(page)).toBeLessThan(light / 2)
})

/** Returns the brightness of the middle of a map as displayed, from 0 to 255. */
async function brightnessOf(page: Page): Promise<number> {
  const map = page.locator('[data-map=ready]')
  const { width, height } = (await map.boundingBox()) ?? { width: 0, height: 0 }
  const shot = (await map.screenshot()).toString('base64')
  return page.evaluate(
    async ({ shot, x, y }) => {
      const image = new Image()
      image.src = `data:image/png;base64,${shot}`
      await image.decode()
      const canvas = document.createElement('canvas')
      Object.assign(canvas, { width: image.width, height: image.height })
      const context = canvas.getContext('2d')
      context?.drawImage(image, 0, 0)
      const [red = 0, green = 0, blue = 0] = context?.getImageData(x, y, 1, 1).data ?? []
      return (red + green + blue) / 3
    },
    { shot, x: Math.round(width / 2), y: Math.round(height / 2) + 20 },
  )
}

async function listen(handle: RequestListener): Promise<{ origin: string; close: () => void }> {
  const server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { origin: `http://127.0.0.1:${port}`, close }
}

/** A map provider: a style with one tile source. */
function serveStyle(asked: string[]): RequestListener {
  return (request, response) => {
    asked.push(request.url ?? '')
    response.setHeader('Access-Control-Allow-Origin', '*')
    if (request.url !== '/style.json') return response.end()
    const tiles = [`http://${request.headers.host}/{z}/{x}/{y}.mvt`]
    const streets = { type: 'vector', tiles, attribution: 'Streets of the test' }
    const layers = [{ id: 'a', type: 'line', source: 'streets', 'source-layer': 'a' }]
    response.end(JSON.stringify({ version: 8, sources: { streets }, layers }))
  }
}

/** The site with PLAZA_MAP_STYLE: the setting in the page's head, its origin in the policy. */
function serveSite(upstream: string, style: string): RequestListener {
  return async (request, response) => {
    const headers = { apikey: request.headers.apikey?.toString() ?? '' }
    const answer = await fetch(`${upstream}${request.url}`, { headers })
    const policy = answer.headers.get('Content-Security-Policy') ?? ''
    const opened = `connect-src 'self' ${new URL(style).origin}`
    response.setHeader('Content-Security-Policy', policy.replace("connect-src 'self'", opened))
    const kind = answer.headers.get('Content-Type') ?? ''
    response.setHeader('Content-Type', kind)
    const body = Buffer.from(await answer.arrayBuffer())
    const head = `<meta name="map-style" content="${style}"></head>`
    response.end(kind.includes('html') ? body.toString().replace('</head>', head) : body)
  }
}

test('BIZ-09: a configured style has streets, and the built-in map is the fallback', once, async ({
  page,
  baseURL,
}) => {
  const shop = await shopOf(await newPerson())
  await locate(shop)
  const card = page.getByRole('heading', { name: 'Location', exact: true })
  const asked: string[] = []
  const provider = await listen(serveStyle(asked))
  const site = await listen(serveSite(baseURL ?? '', `${provider.origin}/style.json`))
  try {
    await page.goto(`${site.origin}/business/${shop.id}`)
    await card.scrollIntoViewIfNeeded()
    await expect(page.getByText('Streets of the test')).toBeVisible()
    // With streets, the map opens at a high zoom.
    await expect.poll(() => asked.some((path) => /^\/15\/\d+\/\d+\.mvt$/.test(path))).toBe(true)
    provider.close()
    await page.reload()
    await card.scrollIntoViewIfNeeded()
    await expect(page.getByRole('link', { name: 'IGN España' })).toBeVisible()
  } finally {
    provider.close()
    site.close()
  }
})
