import type { Browser, Page } from '@playwright/test'
import { service } from './accounts'
import { ask, requestBookingAs, type BookableShop, bookableShopOf, dayAhead } from './bookable-shops'
import { enter, expect, newPerson, once, test } from './fixtures'
import { shopOf } from './owners'

const days = 5

/** The page of a shop with its service and a day selected, as a new customer sees it. */
async function panelOf(browser: Browser, shop: BookableShop, ahead: number, timezoneId = 'Europe/Madrid'): Promise<Page> {
  const { data } = await service().from('businesses').select('slug').eq('id', shop.id).single()
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, timezoneId })
  const page = await context.newPage()
  await enter(page, await newPerson('Arnau Puig'))
  await page.goto(`/business/${data?.slug}?service=${shop.serviceId}&date=${dayAhead(ahead)}`)
  return page
}

const slot = (page: Page, name: string) => page.getByRole('radio', { name, exact: true })

async function saveRules(page: Page, choices: Record<string, string>): Promise<void> {
  await page.goto('/dashboard?tab=businesses&part=availability')
  for (const [label, choice] of Object.entries(choices)) {
    await page.getByLabel(label, { exact: true }).selectOption({ label: choice })
  }
  await page.getByRole('button', { name: 'Save Availability' }).click()
  await expect(page.getByLabel('Message')).toContainText('Availability saved')
}

test('METRICS-32 BOOK-08 BOOK-09: where two are taken at a time, two book one time, and the third sees it struck', once, async ({
  page,
  person,
  browser,
  checkAccessibility,
}) => {
  const shop = await bookableShopOf(person)
  await saveRules(page, { 'At the same time': '2 bookings' })
  await checkAccessibility()
  const [first, second] = await Promise.all([
    panelOf(browser, shop, days),
    panelOf(browser, shop, days),
  ])
  for (const customer of [first, second]) {
    await slot(customer, '11:00').click()
    await customer.getByRole('button', { name: /^Book .*, 11:00$/ }).click()
    await expect(customer.getByRole('heading', { name: 'Booking successful' })).toBeVisible()
  }
  const third = await panelOf(browser, shop, days)
  await expect(slot(third, '11:00, taken')).toHaveAttribute('aria-disabled', 'true')
  await expect(slot(third, '11:00, taken').getByText('11:00')).toHaveCSS('text-decoration-line', 'line-through')
  await expect(slot(third, '12:00')).not.toHaveAttribute('aria-disabled')

  await page.goto(`/business/${shop.id}/bookings?view=day&date=${dayAhead(days)}`)
  await expect(page.getByText('2 at the same time')).toBeVisible()
  await expect(page.getByRole('link', { name: /^11:00–12:00/ })).toHaveCount(2)
  await checkAccessibility()
  await page.getByRole('link', { name: /, 2 bookings$/ }).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('link', { name: /^11:00–12:00/ }).last()).toBeFocused()
})

test('METRICS-32 BOOK-09 BOOK-14: notice, how far ahead and the time between bookings shape the slots', once, async ({
  page,
  person,
  browser,
}) => {
  const shop = await bookableShopOf(person)
  await saveRules(page, {
    'Shortest notice': '3 days',
    'How far ahead': '2 weeks',
    'Time between bookings': '30 min',
  })
  await ask(shop, 'Berta Soler', days, '11:00')
  await page.reload()
  await expect(page.getByLabel('Shortest notice')).toHaveValue('4320')
  await expect(page.getByLabel('How far ahead')).toHaveValue('14')

  const soon = await panelOf(browser, shop, 2)
  await expect(soon.getByText('The business needs more notice.')).toBeVisible()
  await expect(slot(soon, '10:00, too short notice')).toHaveAttribute('aria-disabled', 'true')
  const later = await panelOf(browser, shop, days)
  await expect(slot(later, '10:00, taken')).toHaveAttribute('aria-disabled', 'true')
  await expect(slot(later, '12:00, taken')).toHaveAttribute('aria-disabled', 'true')
  await expect(slot(later, '12:30')).not.toHaveAttribute('aria-disabled')
  const far = await panelOf(browser, shop, 15)
  await expect(far.getByText('The business takes no bookings that far ahead.')).toBeVisible()
})

test('BOOK-14 BOOK-16: a rule that changes during booking is reported at the button', once, async ({
  page,
  person,
  browser,
}) => {
  const shop = await bookableShopOf(person)
  const customer = await panelOf(browser, shop, days)
  await slot(customer, '11:00').click()
  await saveRules(page, { 'Shortest notice': '1 week' })
  await customer.getByRole('button', { name: /^Book .*, 11:00$/ }).click()
  await expect(customer.locator('form').getByRole('alert')).toContainText(
    'The business needs more notice. Choose a later time.',
  )
})

test('METRICS-32: rules leave a week alone that was never saved', once, async ({ page, person }) => {
  const shop = await bookableShopOf(person)
  await saveRules(page, { 'At the same time': '3 bookings' })
  await expect(page.getByText('No schedule was saved yet')).toBeVisible()
  const { data } = await service()
    .from('business_availability')
    .select('weekday')
    .eq('business_id', shop.id)
  expect(data).toEqual([])
  await requestBookingAs(shop, await newPerson('Berta Soler'), days, '17:30')
})

test('METRICS-32: changes saved by another window are not overwritten silently', once, async ({
  page,
  person,
  checkAccessibility,
}) => {
  await shopOf(person)
  const capacity = page.getByLabel('At the same time')
  const other = await page.context().newPage()
  await page.goto('/dashboard?tab=businesses&part=availability')
  await expect(capacity).toHaveValue('1')
  await enter(other, person)
  await saveRules(other, { 'At the same time': '4 bookings' })

  await page.getByLabel('Time between bookings').selectOption('15')
  const save = page.getByRole('button', { name: 'Save Availability' })
  await save.click()
  const told = page.getByRole('alert')
  await expect(told).toContainText('The availability was changed in another window')
  await checkAccessibility()
  await told.getByRole('button', { name: 'Use theirs' }).click()
  await expect(capacity).toHaveValue('4')
  await expect(page.getByLabel('Time between bookings')).toHaveValue('0')
  await expect(told).toHaveCount(0)

  await saveRules(other, { 'At the same time': '5 bookings' })
  await page.getByLabel('Time between bookings').selectOption('15')
  await save.click()
  await told.getByRole('button', { name: 'Save mine' }).click()
  await expect(page.getByLabel('Message')).toContainText('Availability saved')
  await page.reload()
  await expect(capacity).toHaveValue('4')
  await expect(page.getByLabel('Time between bookings')).toHaveValue('15')
})

test('times outside the opening hours are labelled closed, and not struck through like taken ones', once, async ({ person, browser }) => {
  const shop = await bookableShopOf(person)
  const open = { open: '10:00', close: '14:00', isOpen: true }
  const week = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
  const hours = { structured: Object.fromEntries(week.map((day) => [day, open])) }
  const { error } = await service().from('businesses').update({ hours }).eq('id', shop.id)
  if (error) throw error
  const customer = await panelOf(browser, shop, days)
  for (const time of ['09:00', '13:30', '17:30']) {
    const closed = slot(customer, `${time}, outside opening hours`)
    await expect(closed).toContainText('Closed')
    await expect(closed.getByText(time)).toHaveCSS('text-decoration-line', 'none')
  }
  await expect(slot(customer, '10:00')).toHaveText('10:00')
  await expect(slot(customer, '13:00')).toHaveText('13:00')
})

test('the time zone is shown next to the times if it differs from the reader’s', once, async ({ person, browser }) => {
  const shop = await bookableShopOf(person)
  const note = (page: Page) => page.getByText('All times are Spain time.')
  const abroad = await panelOf(browser, shop, days, 'Atlantic/Canary')
  await expect(note(abroad)).toBeVisible()
  const near = await panelOf(browser, shop, days, 'Europe/Paris')
  await expect(slot(near, '11:00')).toBeVisible()
  await expect(note(near)).toHaveCount(0)
})
