import type { Page } from '@playwright/test'
import { service } from './accounts'
import { type BookableShop, bookableShopOf, dayAhead } from './bookable-shops'
import { expect, newPerson, once, type Person, test } from './fixtures'
import { heading, line, ready } from './failures'

// Bookings while the network is down, the response is lost or the build has changed: never twice,
// never later.

const posts = (page: Page) => {
  let sent = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/rest/v1/bookings')) sent += 1
  })
  return () => sent
}

/** A person's bookings in the database. */
async function booked(person: Person): Promise<{ start_time: string; notes: string | null }[]> {
  const { data, error } = await person.client.from('bookings').select('start_time, notes')
  if (error) throw error
  return data
}

/** A shop with a capacity of two: only the client prevents a person from booking twice. */
async function roomyShop(): Promise<BookableShop> {
  const shop = await bookableShopOf(await newPerson('Laia Serra'))
  const { error } = await service().from('businesses').update({ booking_capacity: 2 }).eq('id', shop.id)
  if (error) throw error
  return shop
}

const form = (page: Page) => page.locator('form:has(textarea)')
const send = (page: Page) => form(page).getByRole('button').last()

/** Fills in the form: a service, a day, a time and notes. */
async function fillForm(page: Page, shop: BookableShop, time = '10:00'): Promise<void> {
  await page.goto(`/business/${shop.id}?service=${shop.serviceId}&date=${dayAhead(3)}&time=${time}`)
  await ready(page)
  if (test.info().project.name === 'phone') await page.locator('aside').getByRole('button').last().click()
  await page.getByLabel('Notes').fill('Primera vegada')
  await expect(send(page)).toHaveText(new RegExp(`^Book .*${time}$`))
  await expect(send(page)).toBeEnabled()
}

async function isKept(page: Page): Promise<void> {
  await expect(page.getByLabel('Notes')).toHaveValue('Primera vegada')
  await expect(page.getByRole('radio', { name: '10:00', exact: true })).toBeChecked()
  await expect(send(page)).toBeEnabled()
}

/** Leaves the page before the network is back, which it would use to look the booking up. */
async function leave(page: Page): Promise<void> {
  await page.goto('about:blank')
  await page.unroute(/\/rest\/v1\/|favicon/)
}

const success = (page: Page) => page.getByRole('heading', { name: 'Booking successful' })

test('offline nothing is booked, now or later, and all that was chosen is kept', async ({ page, context, person, checkAccessibility }) => {
  const shop = await roomyShop()
  await fillForm(page, shop)
  const sent = posts(page)
  await context.setOffline(true)
  // On phones the sheet covers the page and shows the message itself.
  await expect(page.getByRole('status').filter({ hasText: 'You are offline.' }).last()).toBeVisible()
  await send(page).click()
  const alert = form(page).getByRole('alert')
  await expect(alert).toContainText('You are offline. Check your connection and try again.')
  await expect(alert).toContainText('Nothing was booked, and nothing is sent later by itself.')
  await isKept(page)
  await checkAccessibility()
  const before = sent()
  const read = page.waitForResponse('**/rpc/booking_slots*')
  await page.clock.install({ time: Date.now() + 60_000 }) // the slots are stale by then
  await context.setOffline(false)
  await read
  await isKept(page)
  expect(sent()).toBe(before)
  expect(await booked(person)).toEqual([])
  await send(page).click()
  await expect(success(page)).toBeVisible()
  expect(await booked(person)).toEqual([{ start_time: '10:00:00', notes: 'Primera vegada' }])
})

test('an answer that is lost is looked for, and the booking is not made twice', once, async ({ page, person }) => {
  await fillForm(page, await roomyShop())
  await page.route('**/rest/v1/bookings*', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await route.fetch() // the database has stored it
    await route.abort('connectionreset')
  })
  const sent = posts(page)
  await send(page).click()
  await expect(success(page)).toBeVisible()
  expect(sent()).toBe(1)
  expect(await booked(person)).toHaveLength(1)
})

test('if the result of a booking is unknown, that is shown, and resolved once the server is back', async ({ page, person, checkAccessibility }) => {
  await fillForm(page, await roomyShop())
  let isCut = false
  await page.route(/\/rest\/v1\/|favicon/, async (route) => {
    if (route.request().method() === 'POST') {
      await route.fetch()
      isCut = true
    }
    return isCut ? route.abort('connectionreset') : route.continue()
  })
  const sent = posts(page)
  await send(page).click()
  const alert = form(page).getByRole('alert')
  await expect(alert).toContainText('We do not know yet whether it was booked')
  await expect(alert).toContainText('you will not be booked twice')
  await isKept(page)
  await checkAccessibility()
  await page.unroute(/\/rest\/v1\/|favicon/)
  await expect(success(page)).toBeVisible()
  expect(sent()).toBe(1)
  expect(await booked(person)).toHaveLength(1)
})

test('pressing again, even after a reload, books once', once, async ({ page, person }) => {
  const shop = await roomyShop()
  await fillForm(page, shop)
  await page.route(/\/rest\/v1\/|favicon/, async (route) => {
    if (route.request().method() === 'POST') await route.fetch()
    return route.abort('connectionreset')
  })
  await send(page).click()
  await expect(form(page).getByRole('alert')).toContainText('We do not know yet whether it was booked')
  await leave(page)
  await fillForm(page, shop)
  await send(page).click()
  await expect(success(page)).toBeVisible()
  expect(await booked(person)).toHaveLength(1)
})

test('before another time is booked, the result of the first is looked up', once, async ({ page, person }) => {
  const shop = await roomyShop()
  await fillForm(page, shop)
  await page.route(/\/rest\/v1\/|favicon/, async (route) => {
    if (route.request().method() === 'POST') await route.fetch()
    return route.abort('connectionreset')
  })
  await send(page).click()
  await expect(form(page).getByRole('alert')).toContainText('We do not know yet whether it was booked')
  await leave(page)
  await fillForm(page, shop, '12:00')
  await send(page).click()
  await expect(success(page)).toBeVisible()
  await expect(page.getByRole('heading', { name: /, 10:00$/ })).toBeVisible()
  expect(await booked(person)).toEqual([{ start_time: '10:00:00', notes: 'Primera vegada' }])
})

test('a request that did not arrive booked nothing, and says so', once, async ({ page, person }) => {
  await fillForm(page, await roomyShop())
  await page.route('**/rest/v1/bookings*', (route) =>
    route.request().method() === 'POST' ? route.abort('connectionrefused') : route.continue(),
  )
  await send(page).click()
  const alert = form(page).getByRole('alert')
  await expect(alert).toContainText('Plaza cannot be reached at the moment.')
  await expect(alert).toContainText('Nothing was booked')
  await isKept(page)
  expect(await booked(person)).toEqual([])
})

test('an answer that does not come can be left, and is looked for then', once, async ({ page, person }) => {
  await fillForm(page, await roomyShop())
  let note = () => {}
  const stored = new Promise<void>((resolve) => {
    note = resolve
  })
  await page.route('**/rest/v1/bookings*', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await route.fetch() // without a response
    note()
  })
  await page.clock.install()
  await send(page).click()
  await stored
  await page.clock.runFor(10_000)
  await expect(line(page)).toContainText('This takes longer than usual.')
  await line(page).getByRole('button', { name: 'Stop Waiting' }).click()
  await expect(success(page)).toBeVisible()
  expect(await booked(person)).toHaveLength(1)
})

test('success is shown before the slots are read again', once, async ({ page, person }) => {
  await fillForm(page, await roomyShop())
  await page.route(/booking_slots|next_free|bookings\?select/, (route) => (route.request().method() === 'GET' ? undefined : route.continue()))
  await send(page).click()
  await expect(success(page)).toBeVisible()
  expect(await booked(person)).toHaveLength(1)
})

test('a new build does not discard a form that is being filled in', once, async ({ page, person }) => {
  expect(person.id).not.toBe('')
  const shop = await roomyShop()
  await fillForm(page, shop)
  let loads = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1
  })
  await page.route('**/assets/*', (route) => route.fulfill({ status: 404 }))
  // A component that is not loaded yet: the report dialog, behind the sheet on phones.
  await page.getByRole('button', { name: /Report this business/i, includeHidden: true }).evaluate((button: HTMLElement) => button.click())
  await expect(page.getByText('This part could not be loaded').first()).toBeAttached()
  await isKept(page)
  expect(loads).toBe(0)
  await page.unroute('**/assets/*')
  await send(page).click()
  await expect(success(page)).toBeVisible()
  await expect(heading(page)).toBeAttached()
})
