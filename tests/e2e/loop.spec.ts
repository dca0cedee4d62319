import type { Browser, Page } from '@playwright/test'
import { readSheet } from 'read-excel-file/node'
import { setAdmin } from './admins'
import { closeToday, moveToPast } from './bookable-shops'
import { enter, expect, newPerson, type Person, test } from './fixtures'
import { givePlan } from './owners'
import { cards, uploadOne } from './photo-page'

const toast = (page: Page) => page.getByLabel('Message')

async function pageOf(browser: Browser, person: Person): Promise<Page> {
  const page = await browser.newPage()
  await enter(page, person)
  return page
}

/** Applies as a seller, and an admin approves. */
async function becomeSeller(page: Page, person: Person): Promise<void> {
  await page.goto('/become-seller')
  await page.getByLabel('Business name').fill('Ceràmica Oliva')
  await page.getByLabel('Type of business').fill('Hairdresser')
  await page.getByLabel('Location').fill('Andorra la Vella')
  await page.getByRole('button', { name: 'Send Application' }).click()
  await expect(page.getByRole('heading', { name: 'Application In Review' })).toBeVisible()
  const admin = await newPerson('Ada Admin')
  await setAdmin(admin)
  const { error } = await admin.client
    .from('seller_applications')
    .update({ status: 'approved' })
    .eq('user_id', person.id)
  expect(error).toBeNull()
}

/** Adds a business with hours, a service and a photo; returns its id. */
async function createBusiness(page: Page, name: string): Promise<string> {
  await page.goto('/business/new')
  await page.getByLabel('Business name').fill(name)
  await page.getByRole('combobox', { name: 'Type' }).selectOption('Hair Salons')
  await page.getByRole('combobox', { name: 'Town' }).selectOption('Andorra la Vella, Andorra')
  for (const day of ['Saturday', 'Sunday']) {
    await page.getByLabel(`${day} open`, { exact: true }).check()
  }
  await page.getByRole('button', { name: 'Create business' }).click()
  await expect(page).toHaveURL('/my-businesses')
  await page.getByRole('article', { name }).getByRole('link', { name: /^Edit/ }).click()
  await page.getByRole('tab', { name: 'Services' }).click()
  const form = page.getByRole('form', { name: 'Add a service' })
  await form.getByLabel('Service name').fill('Cut')
  await form.getByLabel('Price').fill('25')
  await form.getByLabel('Duration').fill('30')
  await form.getByRole('button', { name: 'Add service' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Cut' })).toBeVisible()
  await page.getByRole('tab', { name: 'Photos' }).click()
  await uploadOne(page)
  await expect(cards(page)).toHaveCount(1)
  return /\/business\/edit\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? ''
}

/** Views and exports the analytics of one completed visit once the plan includes them. */
async function exportFigures(page: Page, person: Person, businessId: string): Promise<void> {
  await givePlan(person, 'pro')
  await page.goto(`/dashboard?tab=businesses&business=${businessId}&part=analytics`)
  const totals = page.getByLabel('Totals')
  const total = (label: string) =>
    totals.locator('div', { has: page.getByText(label, { exact: true }) })
  await expect(total('Completion rate')).toContainText('100%')
  await expect(total('Revenue')).toContainText('$25.00')
  await page.getByRole('button', { name: 'Export bookings' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Excel' }).click(),
  ])
  const rows = await readSheet(await file.path())
  expect(rows.map((row) => row.slice(3, 6))).toEqual([
    ['service', 'price', 'status'],
    ['Cut', 25, 'completed'],
  ])
}

async function book(page: Page, businessId: string, name: string): Promise<void> {
  await page.goto(`/business/${businessId}`)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await page.getByRole('button', { name: 'Book Cut', exact: true }).click()
  await page.getByRole('button', { name: /^Next free: / }).click()
  await expect(page.getByRole('radio', { name: /^\d\d:\d\d/, checked: true })).toBeVisible()
  await page
    .locator('form')
    .getByRole('button', { name: /^Book / })
    .click()
  await expect(page.getByRole('heading', { name: 'Booking successful' })).toBeVisible()
}

test('SELLER-07 OWNER-08 BOOK-15 BOOK-18 RULE-20 METRICS-37 METRICS-10: from an application to an answered review and the owner’s figures', async ({
  page,
  person,
  browser,
  checkAccessibility,
}) => {
  test.slow() // two people, ten screens
  const name = `Perruqueria Oliva ${crypto.randomUUID().slice(0, 8)}`
  await becomeSeller(page, person)
  const businessId = await createBusiness(page, name)
  await closeToday({ id: businessId, timeZone: 'Europe/Andorra' })
  const customer = await newPerson('Pol Riera')
  const theirs = await pageOf(browser, customer)
  await book(theirs, businessId, name)

  await page.goto('/notifications')
  await page
    .getByRole('main')
    .getByRole('link', { name: `New booking for ${name}` })
    .click()
  await expect(page).toHaveURL(new RegExp(`/business/${businessId}/bookings`))
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: /^Accept/ }).click()
  await expect(sheet).toContainText('Confirmed')
  await theirs.goto('/bookings')
  await expect(theirs.getByRole('article').filter({ hasText: name })).toContainText('Confirmed')

  const { data } = await customer.client.from('bookings').select('id').single()
  await moveToPast(data?.id, { status: 'confirmed' })
  await page.goto(`/business/${businessId}/bookings`)
  await page.getByRole('button', { name: /^Complete.*Pol Riera/ }).click()
  await expect(toast(page)).toContainText('completed')

  await theirs.goto('/notifications')
  await theirs
    .getByRole('main')
    .getByRole('link', { name: `How was ${name}?` })
    .click()
  const review = theirs.getByRole('dialog', { name: `Your review of ${name}` })
  await review.getByRole('button', { name: 'Send review' }).click()
  await expect(review.getByText('Please choose 1 to 5 stars')).toBeVisible()
  await review.getByRole('radio', { name: '4 stars' }).check({ force: true })
  await review.getByLabel('Your words (optional)').fill('Short.')
  await review.getByRole('button', { name: 'Send review' }).click()
  await expect(review.getByText('A review has 10 to 1000 characters')).toBeVisible()
  await review.getByLabel('Your words (optional)').fill('They listen before they cut.')
  await review.getByRole('button', { name: 'Send review' }).click()
  await expect(review).toBeHidden()
  await expect(theirs).toHaveURL('/bookings?view=past')
  // It can be edited.
  await theirs.getByRole('button', { name: /^Review this visit/ }).click()
  await expect(review.getByRole('radio', { name: '4 stars' })).toBeChecked()
  await review.getByRole('radio', { name: '5 stars' }).check({ force: true })
  await review.getByRole('button', { name: 'Change review' }).click()
  await expect(review).toBeHidden()

  await page.goto(`/dashboard?tab=businesses&business=${businessId}&part=reviews`)
  const received = page.getByRole('article').filter({ hasText: 'They listen before they cut.' })
  await received.getByRole('textbox', { name: 'Respond to Pol Riera' }).fill('Thank you, Pol!')
  await received.getByRole('button', { name: 'Send' }).click()
  await expect(received).toContainText('Thank you, Pol!')
  await checkAccessibility()
  await exportFigures(page, person, businessId)

  const visitor = await browser.newPage()
  await visitor.goto(`/business/${businessId}`)
  await expect(visitor.getByText('They listen before they cut.')).toBeVisible()
  await expect(visitor.getByText('Thank you, Pol!')).toBeVisible()
  await expect(visitor.getByRole('main').getByText('5.0').first()).toBeVisible()
  await theirs.close()
  await visitor.close()
})
