import { ask, bookableShopOf, bookNewSalon, requestBookingAs, stored } from './bookable-shops'
import { enter, expect, newPerson, once, test } from './fixtures'

test('ROUTE-22 BOOK-19: nothing booked yet is a tile, a sentence and the way to a business', async ({
  page,
  person,
  checkAccessibility,
}) => {
  expect(person.id).not.toBe('')
  await page.goto('/bookings')
  await expect(page.getByRole('heading', { name: 'No upcoming bookings' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Find a business' })).toHaveAttribute(
    'href',
    '/search',
  )
  await checkAccessibility()
})

test('BOOK-17 BOOK-18 BOOK-19: a booking is shown whole, kept, cancelled, and then past', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const { business, date, time } = await bookNewSalon(person, 20)
  await page.goto('/bookings')
  const card = page.getByRole('article')
  await expect(card).toHaveCount(1)
  await expect(card.getByRole('link', { name: business.name, exact: true })).toHaveAttribute(
    'href',
    `/business/${business.id}`,
  )
  await expect(card).toContainText(business.serviceName)
  await expect(card).toContainText(`${time}–`)
  await expect(card).toContainText('Pending')
  await checkAccessibility()
  const download = page.waitForEvent('download')
  await card.getByRole('link', { name: /^Add to calendar/ }).click()
  expect((await download).suggestedFilename()).toBe(`plaza-${date}.ics`)

  await card.getByRole('button', { name: /^Cancel booking/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel this booking?' })
  await expect(dialog).toContainText(business.name)
  await checkAccessibility()
  await dialog.getByRole('button', { name: 'Keep booking' }).click()
  await expect(dialog).toBeHidden()
  await card.getByRole('button', { name: /^Cancel booking/ }).click()
  await dialog.getByRole('button', { name: 'Cancel booking' }).click()
  await expect(page.getByLabel('Message')).toContainText('Booking cancelled')
  await expect(page.getByRole('heading', { name: 'No upcoming bookings' })).toBeVisible()
  await page.getByRole('tab', { name: 'Past' }).click()
  await expect(page).toHaveURL('/bookings?view=past')
  await expect(card).toContainText('Cancelled')
  await checkAccessibility()
})

test('BOOK-18: a cancellation that fails is taken back, with a message', once, async ({
  page,
  person,
}) => {
  await bookNewSalon(person, 20)
  await page.route('**/rpc/cancel_booking*', (route) => route.abort())
  await page.goto('/bookings')
  await page.getByRole('button', { name: /^Cancel booking/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel booking' }).click()
  await expect(page.getByLabel('Message')).toContainText('The booking was not cancelled')
  await expect(page.getByLabel('Message')).toContainText('Plaza cannot be reached')
  await expect(page.getByRole('article')).toContainText('Pending')
})

test('bookings that cannot be loaded say so and can be asked for again', once, async ({
  page,
  person,
  checkAccessibility,
}) => {
  expect(person.id).not.toBe('')
  // Otherwise the page asks again by itself when changes begin to be pushed, and has no button then.
  await page.routeWebSocket(/\/realtime\//, () => undefined)
  await page.route('**/rest/v1/bookings*', (route) =>
    route.fulfill({
      status: 400,
      json: { code: 'PGRST100', message: 'no', details: null, hint: null },
    }),
  )
  await page.goto('/bookings')
  await expect(page.getByText('Your bookings could not be loaded')).toBeVisible()
  await checkAccessibility()
  await page.unroute('**/rest/v1/bookings*')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByRole('heading', { name: 'No upcoming bookings' })).toBeVisible()
})

test('BOOK-18 BOOK-19 NOTIF-05: the customer sees why a request was declined', async ({
  page,
  person,
}) => {
  const owner = await newPerson('Laia Serra')
  const shop = await bookableShopOf(owner)
  const { id } = await requestBookingAs(shop, person, 5, '11:00')
  await owner.client.rpc('cancel_booking', { p_booking_id: id, p_reason: 'We are away that day' })
  await page.goto('/notifications')
  await page.getByRole('link', { name: `${shop.name} declined your booking` }).click()
  await expect(page).toHaveURL('/bookings?view=past')
  const card = page.getByRole('article')
  await expect(card).toContainText('Declined')
  await expect(card).toContainText('We are away that day')
})

test('BOOK-18: a customer asks for another time, and the owner accepts it', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const owner = await newPerson('Laia Serra')
  const shop = await bookableShopOf(owner)
  const { id, date } = await requestBookingAs(shop, person, 5, '11:00')
  await page.goto('/bookings')
  const card = page.getByRole('article')
  await card.getByRole('button', { name: /^Change time/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Ask for another time' })
  await expect(dialog.getByRole('radio', { name: /^11:00/ })).toBeVisible()
  await checkAccessibility()
  await dialog.getByRole('radio', { name: /^15:30/ }).click()
  await dialog.getByRole('button', { name: /^Ask for .*15:30/ }).click()
  await expect(page.getByLabel('Message')).toContainText('Time proposed')
  await expect(card).toContainText('You asked for')
  await checkAccessibility()
  expect(await stored(id)).toMatchObject({ start_time: '11:00:00', proposed_by: 'customer' })

  await page.evaluate(() => localStorage.clear())
  await page.context().clearCookies()
  const desk = await page.context().newPage()
  await enter(desk, owner)
  await desk.goto(`/business/${shop.id}/bookings?booking=${id}`)
  const sheet = desk.getByRole('dialog', { name: 'Ona Vidal' })
  await expect(sheet).toContainText('Asks for')
  await sheet.getByRole('button', { name: 'Accept the new time' }).click()
  await expect(desk.getByLabel('Message')).toContainText('Booking moved')
  await expect(sheet).toContainText('Confirmed')
  expect(await stored(id)).toMatchObject({
    booking_date: date,
    start_time: '15:30:00',
    status: 'confirmed',
    proposed_by: null,
  })
})

test('BOOK-18: the owner proposes another time, and the customer accepts it', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const shop = await bookableShopOf(person)
  const { id, customer } = await ask(shop, 'Arnau Puig', 5, '11:00')
  await page.goto(`/business/${shop.id}/bookings?booking=${id}`)
  const sheet = page.getByRole('dialog', { name: 'Arnau Puig' })
  await sheet.getByRole('button', { name: 'Other time' }).click()
  const dialog = page.getByRole('dialog', { name: 'Another time' })
  await dialog.getByLabel('Time').fill('19:10')
  await checkAccessibility()
  await dialog.getByRole('button', { name: 'Propose this time' }).click()
  await expect(page.getByLabel('Message')).toContainText('Time proposed')
  await expect(sheet).toContainText('You propose')

  await page.evaluate(() => localStorage.clear())
  const list = await page.context().newPage()
  await enter(list, customer)
  await list.goto('/bookings')
  await expect(list.getByRole('article')).toContainText('The business proposes')
  await list.getByRole('button', { name: 'Accept the new time' }).click()
  await expect(list.getByLabel('Message')).toContainText('Booking moved')
  await expect(list.getByRole('article')).toContainText('19:10–20:10')
  await expect(list.getByRole('article')).toContainText('Confirmed')
  expect(await stored(id)).toMatchObject({ start_time: '19:10:00', status: 'confirmed' })
})
