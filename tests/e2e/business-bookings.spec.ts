import type { Page } from '@playwright/test'
import { ask, bookableShopOf, moveToPast, stored } from './bookable-shops'
import { enter, expect, newPerson, once, test } from './fixtures'
import { shopOf } from './owners'

const toast = (page: Page) => page.getByLabel('Message')

test('BOOK-18 S-28: an owner sees pending requests first, accepts one, and declines one with a reason', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const shop = await bookableShopOf(
    person,
    'Perruqueria i Estètica Mare de Déu de Meritxell i Sant Julià',
  )
  await page.goto(`/business/${shop.id}/bookings`)
  await expect(page.getByText('Nothing waits for you')).toBeVisible()
  await checkAccessibility()
  const late = await ask(shop, 'Berta Soler', 6, '12:00')
  const soon = await ask(shop, 'Arnau Puig', 5, '11:00')

  await page.goto('/my-businesses')
  await page
    .getByRole('article', { name: shop.name })
    .getByRole('link', { name: /^Bookings/ })
    .click()
  await expect(page).toHaveURL(`/business/${shop.id}/bookings`)
  await expect(page.getByText('2 bookings')).toBeVisible()
  await expect(page.getByText(/days left to answer/).filter({ visible: true })).toHaveCount(2)
  await checkAccessibility()

  await page.getByRole('button', { name: /^Accept.*Arnau Puig/ }).click()
  await expect(toast(page)).toContainText('Booking accepted')
  expect((await stored(soon.id)).status).toBe('confirmed')

  await page.getByRole('button', { name: /^Decline.*Berta Soler/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Decline this request?' })
  await dialog.getByRole('button', { name: 'Decline' }).click()
  await expect(dialog.getByText('Tell the customer why')).toBeVisible()
  await checkAccessibility()
  await dialog.getByLabel('Reason').fill('We are away that day')
  await dialog.getByRole('button', { name: 'Decline' }).click()
  await expect(toast(page)).toContainText('Request declined')
  await expect(page.getByText('1 booking', { exact: true })).toBeVisible()
  expect(await stored(late.id)).toMatchObject({
    status: 'cancelled',
    cancel_kind: 'declined',
    cancel_reason: 'We are away that day',
  })
  await page.getByLabel('Show').selectOption('Cancelled')
  await expect(page).toHaveURL(/show=cancelled/)
  await expect(page.getByText('Declined', { exact: true }).filter({ visible: true })).toBeVisible()
})

test('BOOK-18: a past booking is completed or a no-show, and can be corrected', once, async ({
  page,
  person,
}) => {
  const shop = await bookableShopOf(person)
  const came = await ask(shop, 'Arnau Puig', 5, '11:00')
  await moveToPast(came.id, { status: 'confirmed' })
  await page.goto(`/business/${shop.id}/bookings`)
  await page.getByRole('button', { name: /^No-show.*Arnau Puig/ }).click()
  await expect(toast(page)).toContainText('Noted as a no-show')
  expect(await stored(came.id)).toMatchObject({ status: 'cancelled', cancel_kind: 'no_show' })
  await page.goto(`/business/${shop.id}/bookings?booking=${came.id}`)
  const sheet = page.getByRole('dialog', { name: 'Arnau Puig' })
  await expect(sheet).toContainText('No-show')
  await sheet.getByRole('button', { name: 'Complete' }).click()
  await expect(toast(page)).toContainText('Booking completed')
  await expect(sheet).toContainText('Completed')
  expect((await stored(came.id)).status).toBe('completed')
})

test('NOTIF-05 S-26: a notification leads to the booking; the note for oneself stays with the business', once, async ({
  page,
  person,
  checkAccessibility,
}) => {
  const shop = await bookableShopOf(person)
  const { id, customer } = await ask(shop, 'Arnau Puig', 5, '11:00')
  await page.goto('/notifications')
  await page.getByRole('link', { name: `New booking for ${shop.name}` }).click()
  const sheet = page.getByRole('dialog', { name: 'Arnau Puig' })
  await expect(sheet).toContainText(`From ${customer.email}`)
  await sheet.getByLabel('Note for yourself').fill('Likes coffee')
  await sheet.getByRole('button', { name: 'Save note' }).click()
  await expect(sheet.getByText('Note saved')).toBeVisible()
  await checkAccessibility()
  await page.reload()
  await expect(sheet.getByLabel('Note for yourself')).toHaveValue('Likes coffee')
  const { data } = await customer.client.from('booking_notes').select('note').eq('booking_id', id)
  expect(data).toEqual([])
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(page).toHaveURL(`/business/${shop.id}/bookings`)
})

test('PERM-07 S-26: another’s bookings do not open', once, async ({
  page,
  person,
  checkAccessibility,
}) => {
  await shopOf(person)
  const shop = await bookableShopOf(await newPerson('Biel Font'), 'Barberia Font')
  await page.goto(`/business/${shop.id}/bookings`)
  await expect(page.getByRole('alert')).toHaveText(/Access Denied/)
  await checkAccessibility()
  await page.goto('/business/no-such-business/bookings')
  await expect(page.getByText('Business not found')).toBeVisible()
})

test('BOOK-18: a booking entered by the owner holds its time, and moves at once', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const shop = await bookableShopOf(person)
  await page.goto(`/business/${shop.id}/bookings`)
  await page.getByRole('button', { name: 'Add booking' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a booking' })
  await dialog.getByRole('button', { name: 'Add booking' }).click()
  await expect(dialog.getByText('Enter a name')).toBeVisible()
  await expect(dialog.getByText('Enter a time such as 11:30')).toBeVisible()
  await checkAccessibility()
  await dialog.getByLabel('Time').fill('22:30')
  await dialog.getByLabel('Name of the customer').fill('Pau Riba')
  await dialog.getByLabel('Phone').fill('600 111 222')
  await dialog.getByRole('button', { name: 'Add booking' }).click()
  await expect(toast(page)).toContainText('Booking added')
  await expect(page.getByText('Entered by you').filter({ visible: true })).toBeVisible()

  await page.getByRole('button', { name: 'Add booking' }).click()
  await dialog.getByLabel('Time').fill('22:45')
  await dialog.getByLabel('Name of the customer').fill('Second')
  await dialog.getByRole('button', { name: 'Add booking' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('That time is taken.')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('button', { name: 'Discard' }).click()

  await page.getByRole('link', { name: /22:30.*Pau Riba/ }).click()
  const sheet = page.getByRole('dialog', { name: 'Pau Riba' })
  await expect(sheet.getByRole('link', { name: '600 111 222' })).toHaveAttribute(
    'href',
    'tel:600111222',
  )
})

test('BOOK-18: the calendar by day, week and month, by keyboard alone', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const shop = await bookableShopOf(person)
  const { date, time } = await ask(shop, 'Arnau Puig', 5, '11:00')
  await page.goto(`/business/${shop.id}/bookings?view=week&date=${date}`)
  const day = page.getByRole('link', { name: /, 1 booking$/ })
  await expect(day).toBeVisible()
  await checkAccessibility()
  await day.focus()
  await page.keyboard.press('ArrowDown')
  const booking = page.getByRole('link', { name: new RegExp(`^${time}.*Arnau Puig`) })
  await expect(booking).toBeFocused()
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog', { name: 'Arnau Puig' })
  await expect(sheet).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(page).toHaveURL(`/business/${shop.id}/bookings?view=week&date=${date}`)
  await day.focus()
  await page.keyboard.press('PageDown')
  await expect(page).not.toHaveURL(new RegExp(date))
  await expect(page.getByRole('link', { name: /, no bookings$/ }).first()).toBeVisible()
  await page.goBack()
  await expect(day).toBeVisible()

  await page.getByRole('link', { name: 'Month' }).click()
  await expect(page.getByRole('table')).toBeVisible()
  await checkAccessibility()
  await day.click()
  await expect(page).toHaveURL(new RegExp(`view=day&date=${date}`))
  await expect(booking).toBeVisible()
  await checkAccessibility()
})

test('a reason that could not be sent stays in the dialog, which says so', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const shop = await bookableShopOf(person)
  const asked = await ask(shop, 'Berta Soler', 6, '12:00')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(`/business/${shop.id}/bookings`)
  await page.getByRole('button', { name: /^Decline.*Berta Soler/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Decline this request?' })
  await dialog.getByLabel('Reason').fill('We are away that day')
  await page.route('**/rest/v1/rpc/*', (route) => route.abort('connectionrefused'))
  await dialog.getByRole('button', { name: 'Decline' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Plaza cannot be reached')
  await expect(dialog.getByLabel('Reason')).toHaveValue('We are away that day')
  await checkAccessibility()
  await page.unrouteAll()
  await dialog.getByRole('button', { name: 'Decline' }).click()
  await expect(dialog).toBeHidden()
  await expect.poll(async () => (await stored(asked.id)).status).toBe('cancelled')
})
