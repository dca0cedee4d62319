import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { newEmail, newPassword, service, signInByForm } from './accounts'
import { bookable, type BookableShop, bookableShopOf, closeToday, dayAhead, freeSlot, type FreeSlot } from './bookable-shops'
import { expect, newPerson, once, test, todayIn } from './fixtures'

const address = (business: BookableShop, slot?: FreeSlot) =>
  `/business/${business.slug}?service=${business.serviceId}${
    slot ? `&date=${slot.date}&time=${slot.time}` : ''
  }`

/** Opens the form; on phones it is behind the bar at the bottom. */
async function openForm(page: Page): Promise<void> {
  if (test.info().project.name === 'phone') {
    await page.locator('aside').getByRole('button').last().click()
  }
  await expect(page.getByLabel('Notes')).toBeVisible()
}

/** The 18 times of the requirements, 09:00 to 17:30. */
const times = Array.from({ length: 18 }, (_, index) => {
  const minutes = 9 * 60 + index * 30
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${minutes % 60 === 0 ? '00' : '30'}`
})

/** Submits a form as a script could, regardless of its button. */
async function send(page: Page): Promise<void> {
  await page.locator('form:has(textarea)').evaluate((form: HTMLFormElement) => form.requestSubmit())
}

test('BOOK-04 BOOK-05 BOOK-06 BOOK-07 BOOK-15 BOOK-16: three steps and a booking', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const business = await bookable()
  const slot = await freeSlot(business, 9)
  await page.goto(`/business/${business.slug}`)
  await page.getByRole('button', { name: `Book ${business.serviceName}`, exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`service=${business.serviceId}`))
  const notes = page.getByLabel('Notes')
  await expect(notes).toHaveAttribute('rows', '3') // BOOK-05
  const submit = page.locator('form').getByRole('button').last()
  await expect(submit).toBeDisabled()

  const days = page.getByRole('radiogroup', { name: 'Day' })
  await expect(page.getByRole('button', { name: 'Previous week' })).toBeDisabled()
  const day = days.locator(
    `[aria-label^="${new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' }).format(new Date(slot.date))} ${Number(slot.date.slice(8))} "]`,
  )
  while (!(await day.isVisible())) await page.getByRole('button', { name: 'Next week' }).click()
  await day.click()
  await expect(page.getByRole('radio', { name: /^\d\d:\d\d/ }).locator('span:first-child')).toHaveText(times)
  await checkAccessibility()
  await page.getByRole('radio', { name: slot.time, exact: true }).click()
  await notes.fill('Primera vegada')
  await expect(submit).toHaveText(`Book ${slot.label}, ${slot.time}`)
  await submit.click()

  await expect(page.getByRole('heading', { name: 'Booking successful' })).toBeVisible()
  await expect(page.getByText('Your appointment has been scheduled!')).toBeVisible()
  await expect(page.getByRole('link', { name: 'My Bookings' }).last()).toHaveAttribute(
    'href',
    '/bookings',
  )
  await expect(page.getByText('You can cancel it in My Bookings until it starts.')).toBeVisible()
  await expect(page).not.toHaveURL(/service=|date=|time=/)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Add to calendar' }).click()
  expect((await download).suggestedFilename()).toBe(`plaza-${slot.date}.ics`)

  const { data } = await person.client
    .from('bookings')
    .select('business_id, user_id, service_id, booking_date, start_time, notes, status')
  expect(data).toEqual([
    {
      business_id: business.id,
      user_id: person.id,
      service_id: business.serviceId,
      booking_date: slot.date,
      start_time: `${slot.time}:00`,
      notes: 'Primera vegada',
      status: 'pending',
    },
  ])
})

test('BOOK-04: past days cannot be chosen, and times show only with a service', async ({
  page,
  person,
}) => {
  expect(person.id).not.toBe('')
  const business = await bookable()
  await closeToday(business)
  await page.goto(`/business/${business.slug}`)
  await openForm(page)
  await expect(page.getByRole('radio', { name: /^\d\d:\d\d/ })).toHaveCount(0)
  const today = todayIn(business.timeZone)
  await page.getByRole('button', { name: 'Calendar' }).click()
  const calendar = page.getByRole('dialog', { name: 'Choose another day' })
  await calendar.getByRole('button', { name: 'Previous month' }).click()
  const dates = await calendar
    .locator('[data-date]')
    .evaluateAll((days) => days.map((day) => day.getAttribute('data-date') ?? ''))
  const past = dates.filter((date) => date < today)
  expect(past.length).toBeGreaterThan(0)
  for (const date of past) {
    await expect(calendar.locator(`[data-date="${date}"]`)).toHaveAttribute('aria-disabled', 'true')
  }
  await page.keyboard.press('Escape')
  await page.getByLabel('Service', { exact: true }).selectOption({ index: 1 })
  await expect(page.getByRole('button', { name: /^Next free: / })).toBeVisible()
  await page.getByRole('button', { name: /^Next free: / }).click()
  await expect(page.getByRole('radio', { name: /^\d\d:\d\d/, checked: true })).toBeVisible()
})

test('BOOK-08 BOOK-09 BOOK-16: a slot taken meanwhile is refused, the rest is kept', once, async ({
  page,
  person,
}) => {
  expect(person.id).not.toBe('')
  // Otherwise the page shows at once that the slot was taken (live.spec.ts).
  await page.routeWebSocket(/\/realtime\//, () => undefined)
  const business = await bookable()
  const slot = await freeSlot(business, 12)
  await page.goto(address(business, slot))
  await openForm(page)
  await page.getByLabel('Notes').fill('Con flequillo')
  const submit = page.getByRole('button', { name: `Book ${slot.label}, ${slot.time}` }).last()
  await expect(submit).toBeEnabled()

  const rival = await newPerson('Marc Rius')
  const { error } = await rival.client.from('bookings').insert({
    business_id: business.id,
    user_id: rival.id,
    service_id: business.serviceId,
    booking_date: slot.date,
    start_time: slot.time,
  })
  expect(error).toBeNull()

  await submit.click()
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('Booking failed')
  await expect(alert).toContainText('Someone took that time a moment ago.')
  await expect(alert).not.toContainText('try again')
  // Next to the times, in view and focused; the nearest free times are offered.
  await expect(alert).toBeInViewport()
  await expect(alert.locator('..')).toBeFocused()
  await expect(page.getByRole('radio', { name: `${slot.time}, taken` })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  const offered = alert.getByRole('button')
  await expect(offered.first()).toHaveText(new RegExp(`^${slot.label} [A-Z][a-z]+, \\d\\d:\\d\\d$`))
  const other = (await offered.first().innerText()).slice(-5)
  await offered.first().click()
  await expect(page.getByRole('radio', { name: other, exact: true })).toHaveAttribute('aria-checked', 'true')
  await expect(alert).toHaveCount(0)
  await expect(page.getByLabel('Notes')).toHaveValue('Con flequillo')
  await expect(page.getByLabel('Service', { exact: true })).toHaveValue(business.serviceId)
  await expect(page).toHaveURL(new RegExp(`date=${slot.date}`))
})

test('BOOK-01 BOOK-03: a visitor sees the times, and the choice survives the way to sign-in', async ({
  page,
  checkAccessibility,
}) => {
  const business = await bookable()
  const slot = await freeSlot(business, 5)
  await page.goto(address(business))
  await expect(page.getByRole('heading', { name: 'Log in for more' })).toBeVisible()
  await openForm(page)
  await expect(page.getByText('Please log in to book an appointment')).toBeVisible()
  await page.goto(address(business, slot))
  await openForm(page)
  await expect(page.getByRole('radio', { name: slot.time, exact: true })).toBeChecked()
  await checkAccessibility()
  await page.locator('form').getByRole('link', { name: 'Log In or Sign Up' }).click()
  await expect(page).toHaveURL('/auth')
  const kept = await page.evaluate(() => sessionStorage.getItem('plaza.redirect'))
  expect(kept).toContain(`service=${business.serviceId}`)
  expect(kept).toContain(`date=${slot.date}&time=${slot.time}`.replace(':', '%3A').slice(0, 15))
})

test('BOOK-03 BOOK-05: sign-in shows its purpose, and the notes survive it', once, async ({ page }) => {
  const business = await bookable()
  const slot = await freeSlot(business, 6)
  const email = newEmail('notes')
  const { error } = await service().auth.admin.createUser({ email, password: newPassword, email_confirm: true })
  expect(error).toBeNull()
  await page.goto(address(business, slot))
  await openForm(page)
  await page.getByLabel('Notes').fill('Con flequillo')
  await page.locator('form').getByRole('link', { name: 'Log In or Sign Up' }).click()
  const purpose = page.getByRole('status').filter({ hasText: 'Sign in to book' })
  await expect(purpose).toContainText(slot.time)
  await expect(purpose).toContainText(slot.label)
  await signInByForm(page, email)
  await expect(page).toHaveURL(new RegExp(`date=${slot.date}`))
  await expect(page.getByLabel('Notes')).toHaveValue('Con flequillo')
  await page.getByRole('button', { name: `Book ${slot.label}, ${slot.time}` }).last().click()
  await expect(page.getByText('Your appointment has been scheduled!')).toBeVisible()
  await page.reload()
  await openForm(page)
  await expect(page.getByLabel('Notes')).toHaveValue('')
})

test('ERR-42: slots that could not be read say so and can be asked for again', once, async ({
  page,
  person,
}) => {
  expect(person.id).not.toBe('')
  const business = await bookable()
  const slot = await freeSlot(business, 5)
  // Otherwise the page asks again by itself when changes begin to be pushed, and has no button then.
  await page.routeWebSocket(/\/realtime\//, () => undefined)
  await page.route('**/rest/v1/rpc/booking_slots*', (route) =>
    route.fulfill({ status: 400, json: { code: '22023', message: 'no' } }),
  )
  await page.goto(address(business, slot))
  await openForm(page)
  await expect(page.getByRole('alert')).toContainText('Could not fetch existing bookings')
  await page.unroute('**/rest/v1/rpc/booking_slots*')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByRole('radio', { name: slot.time, exact: true })).toBeChecked()
})

test('the keyboard alone makes a booking', once, async ({ page, person }) => {
  expect(person.id).not.toBe('')
  const business = await bookable()
  const slot = await freeSlot(business, 16)
  await page.goto(address(business, { ...slot, time: '' }))
  await openForm(page)
  const free = page.getByRole('radio', { name: slot.time, exact: true })
  await expect(free).toBeVisible()
  await free.focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowLeft')
  await expect(free).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(free).toBeChecked()
  const submit = page.getByRole('button', { name: `Book ${slot.label}, ${slot.time}` }).last()
  await expect(submit).toBeEnabled()
  await submit.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 3, name: new RegExp(slot.time) })).toBeFocused()
})

test('BOOK-10 BOOK-11 BOOK-12 BOOK-13 ERR-43 UI-02: the end of a booking, and why one is refused', once, async ({
  page,
  person,
}) => {
  // Data that was loaded with the page stays outdated.
  await page.routeWebSocket(/\/realtime\//, () => undefined)
  const shop = await bookableShopOf(await newPerson('Laia Serra'))
  const day = dayAhead(3)
  const chosen = `/business/${shop.id}?service=${shop.serviceId}&date=${day}`
  const alert = page.getByRole('alert')
  const submit = page.locator('form').getByRole('button').last()
  const refuseNext = (json: object, status: number) =>
    page.route('**/rest/v1/bookings?*', (route) => route.fulfill({ status, json }), { times: 1 })

  await page.goto(chosen)
  await expect(page.getByRole('radio', { name: '10:00', exact: true })).toBeVisible()
  await expect(submit).toBeDisabled()
  await expect(page.getByLabel('Service', { exact: true })).toContainText('Haircut · 1 h · $20.00')
  await send(page)
  await expect(alert).toHaveText('Incomplete selectionPlease select a date, service, and time slot')

  await page.getByRole('radio', { name: '10:00', exact: true }).click()
  await refuseNext({ code: 'XX000', message: 'no' }, 500)
  await submit.click()
  await expect(alert).toContainText('Booking failed')
  await expect(alert).toContainText('Could not create your booking. Please try again.')

  await submit.click()
  await expect(page.getByText('Your appointment has been scheduled!')).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Add to calendar' }).click()
  const file = await readFile(await (await download).path(), 'utf8')
  const hours = [...file.matchAll(/^DT(?:START|END):\d{8}T(\d\d)/gm)].map(([, hour]) => Number(hour))
  expect(hours[1]).toBe((hours[0] ?? 0) + 1)
  const { data } = await person.client.from('bookings').select('start_time, end_time')
  expect(data).toEqual([{ start_time: '10:00:00', end_time: '11:00:00' }])

  // The data loaded with the page is outdated when it is submitted.
  const { data: beard } = await service()
    .from('services')
    .insert({ business_id: shop.id, name: 'Beard', price: 10, duration: 30 })
    .select('id')
    .single()
  await page.goto(`${chosen}&time=12:00`)
  await expect(submit).toBeEnabled()
  await service().from('services').delete().eq('id', shop.serviceId)
  await submit.click()
  await expect(alert).toHaveText('Invalid serviceThe selected service does not exist')
  await page.getByLabel('Service', { exact: true }).selectOption(beard?.id ?? '')
  await page.getByRole('radio', { name: '12:00', exact: true }).click()
  await expect(submit).toBeEnabled()
  await person.client.auth.signOut({ scope: 'global' })
  await submit.click()
  await expect(page.getByLabel('Message')).toContainText('Authentication required')
  await expect(page.getByLabel('Message')).toContainText('Please log in to book a service')
})
