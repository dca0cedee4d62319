import type { Locator, Page } from '@playwright/test'
import { service, tabTo } from './accounts'
import { setAdmin } from './admins'
import { requestBookingAs, moveToPast } from './bookable-shops'
import { enter, expect, newPerson, once, test } from './fixtures'
import { givePlan } from './owners'

/** Operates a page by keyboard only. */
function hands(page: Page) {
  const press = async (target: Locator, key = 'Enter') => {
    await tabTo(page, target)
    await page.keyboard.press(key)
  }
  const type = async (target: Locator, text: string) => {
    await tabTo(page, target)
    await page.keyboard.type(text)
  }
  return { press, type }
}

test('OWNER-08 OWNER-19 BOOK-18 RULE-20 METRICS-10 METRICS-37: the loop by keyboard alone', once, async ({
  page,
  person,
  browser,
}) => {
  test.slow() // every tab stop on ten screens
  const { press, type } = hands(page)
  await page.goto('/become-seller')
  await type(page.getByLabel('Business name'), 'Ceràmica Oliva')
  await type(page.getByLabel('Type of business'), 'Hairdresser')
  await type(page.getByLabel('Location'), 'Andorra la Vella')
  await press(page.getByRole('button', { name: 'Send Application' }))
  await expect(page.getByRole('heading', { name: 'Application In Review' })).toBeVisible()
  const admin = await newPerson('Ada Admin')
  await setAdmin(admin)
  await admin.client.from('seller_applications').update({ status: 'approved' }).eq('user_id', person.id)

  const name = `Perruqueria ${crypto.randomUUID().slice(0, 8)}`
  await page.goto('/business/new')
  await type(page.getByLabel('Business name'), name)
  await type(page.getByRole('combobox', { name: 'Type' }), 'Hair Salons')
  await type(page.getByRole('combobox', { name: 'Town' }), 'Andorra la Vella')
  for (const day of ['Saturday', 'Sunday']) {
    await press(page.getByLabel(`${day} open`, { exact: true }), 'Space')
  }
  await press(page.getByRole('button', { name: 'Create business' }))
  await expect(page).toHaveURL('/my-businesses')
  await press(page.getByRole('article', { name }).getByRole('link', { name: /^Edit/ }))
  await tabTo(page, page.getByRole('tab', { name: 'Details' }))
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'Services' })).toBeFocused()
  const form = page.getByRole('form', { name: 'Add a service' })
  await type(form.getByLabel('Service name'), 'Cut')
  await type(form.getByLabel('Price'), '25')
  await type(form.getByLabel('Duration'), '30')
  await press(form.getByRole('button', { name: 'Add service' }))
  await expect(page.getByRole('listitem').filter({ hasText: 'Cut' })).toBeVisible()

  const id = /\/business\/edit\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? ''
  const { data } = await service().from('services').select('id').eq('business_id', id).single()
  const customer = await newPerson('Pol Riera')
  const shop = { id, name, owner: person.id, serviceId: data?.id }
  const asked = await requestBookingAs(shop, customer, 3, '11:00')

  await page.goto('/notifications')
  await press(page.getByRole('main').getByRole('link', { name: `New booking for ${name}` }))
  const sheet = page.getByRole('dialog')
  await press(sheet.getByRole('button', { name: /^Accept/ }))
  await expect(sheet).toContainText('Confirmed')
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await moveToPast(asked.id, { status: 'confirmed' })
  await page.goto(`/business/${id}/bookings`)
  await press(page.getByRole('button', { name: /^Complete.*Pol Riera/ }))
  await expect(page.getByLabel('Message')).toContainText('completed')

  const theirs = await (await browser.newContext()).newPage()
  await enter(theirs, customer)
  const their = hands(theirs)
  await theirs.goto('/notifications')
  await their.press(theirs.getByRole('main').getByRole('link', { name: `How was ${name}?` }))
  const review = theirs.getByRole('dialog', { name: `Your review of ${name}` })
  await their.press(review.getByRole('radio', { name: '1 star' }), 'Space')
  for (const stars of ['2 stars', '3 stars', '4 stars', '5 stars']) {
    await theirs.keyboard.press('ArrowRight')
    await expect(review.getByRole('radio', { name: stars })).toBeChecked()
  }
  await their.type(review.getByLabel('Your words (optional)'), 'They listen before they cut.')
  await their.press(review.getByRole('button', { name: 'Send review' }))
  await expect(review).toBeHidden()
  await theirs.context().close()

  await page.goto(`/dashboard?tab=businesses&business=${id}&part=reviews`)
  const received = page.getByRole('article').filter({ hasText: 'They listen before they cut.' })
  await type(received.getByRole('textbox', { name: 'Respond to Pol Riera' }), 'Thank you, Pol!')
  await press(received.getByRole('button', { name: 'Send' }))
  await expect(received).toContainText('Thank you, Pol!')

  await givePlan(person, 'pro')
  await page.goto(`/dashboard?tab=businesses&business=${id}&part=analytics`)
  await expect(page.getByLabel('Totals')).toContainText('$25.00')
  await press(page.getByRole('button', { name: 'Export bookings' }))
  const excel = page.getByRole('menuitem', { name: 'Excel' })
  const saved = page.waitForEvent('download')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(excel).toBeFocused()
  await page.keyboard.press('Enter')
  expect((await saved).suggestedFilename()).toMatch(/\.xlsx$/)
})
