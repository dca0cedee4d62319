import { bookable, expect, freeSlot, type Person, test } from './fixtures'

/** Books a free slot for somebody, some days ahead. */
async function bookFor(person: Person, turn: number, daysAhead: number) {
  const business = await bookable(turn)
  const { date, time } = await freeSlot(business, daysAhead)
  const { error } = await person.client.from('bookings').insert({
    business_id: business.id,
    user_id: person.id,
    service_id: business.serviceId,
    booking_date: date,
    start_time: time,
  })
  if (error) throw error
  return { business, date, time }
}

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
  const { business, date, time } = await bookFor(person, 7, 20)
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

test('BOOK-18: a cancellation that fails is taken back, with a message', async ({
  page,
  person,
}) => {
  await bookFor(person, 8, 20)
  await page.route('**/rpc/cancel_booking*', (route) => route.abort())
  await page.goto('/bookings')
  await page.getByRole('button', { name: /^Cancel booking/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel booking' }).click()
  await expect(page.getByLabel('Message')).toContainText('The booking was not cancelled')
  await expect(page.getByLabel('Message')).toContainText('You seem to be offline')
  await expect(page.getByRole('article')).toContainText('Pending')
})

test('bookings that cannot be loaded say so and can be asked for again', async ({
  page,
  person,
  checkAccessibility,
}) => {
  expect(person.id).not.toBe('')
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
