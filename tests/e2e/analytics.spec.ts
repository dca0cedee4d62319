import type { Locator, Page } from '@playwright/test'
import { tabTo } from './accounts'
import { expectNoOverflow, rowsOf, setAdmin } from './admins'
import { analytics, cut, total, visit } from './analytics-screens'
import { expect, newPerson, once, test } from './fixtures'
import { givePlan, shopOf } from './owners'
import { shopDay } from './visited-shops'

const today = () => shopDay(0)

const chart = (page: Page, title: string) => page.getByRole('figure', { name: title })
const tab = (page: Page, name: string) =>
  page.getByRole('tablist', { name: 'Parts of the analytics' }).getByRole('tab', { name })

/** The rows of the table behind a chart, cell by cell, once the chart is drawn. */
async function figuresOf(figure: Locator): Promise<string[][]> {
  await expect(figure.locator('svg.recharts-surface')).toBeVisible()
  const details = figure.locator('details')
  if ((await details.getAttribute('open')) === null)
    await figure.getByText('Show as a table').click()
  const rows = figure.getByRole('row').filter({ has: figure.page().getByRole('cell') })
  await expect(rows.first()).toBeVisible()
  const texts: string[][] = []
  for (const row of await rows.all()) texts.push(await row.getByRole('cell').allInnerTexts())
  return texts
}

test('SUB-07: without a plan for it, analytics shows a description and no figure', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const shop = await shopOf(person)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(analytics)
  await expect(
    page.getByRole('heading', { name: 'Analytics comes with a larger plan' }),
  ).toBeVisible()
  await expect(page.getByRole('link', { name: 'See the plans' })).toHaveAttribute('href', '/plans')
  await expect(page.getByRole('figure')).toHaveCount(0)
  await checkAccessibility()
  await expectNoOverflow(page)
  expect(asked.filter((url) => url.includes('/rpc/analytics_'))).toEqual([])
  const { error } = await person.client.rpc('analytics_totals', {
    p_business_id: shop.id,
    p_first: today(),
    p_last: today(),
  })
  expect(error?.details).toBe('plan_without_analytics')
  await givePlan(person, 'pro')
  await page.reload()
  await expect(page.getByText('No booking data available to analyze')).toBeVisible()
})

test('SUB-07: an admin has the analytics of any business, without a plan', once, async ({ person }) => {
  const owner = await newPerson()
  const shop = await cut(owner, [visit(0, '09:00')])
  await setAdmin(person)
  const { data } = await person.client.rpc('analytics_totals', {
    p_business_id: shop.id,
    p_first: today(),
    p_last: today(),
  })
  expect(data).toContainEqual({
    period: 'current',
    bookings: 1,
    completed: 1,
    cancelled: 0,
    revenue: 20,
  })
})

test('METRICS-01 METRICS-13: without bookings each part says so, and leads to more dates', async ({
  page,
  person,
  checkAccessibility,
}) => {
  await cut(person, [visit(-200, '09:00')])
  await page.goto(analytics)
  for (const name of ['Overview', 'Bookings', 'Revenue']) {
    await tab(page, name).click()
    await expect(tab(page, name)).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByText('No booking data available to analyze')).toBeVisible()
  }
  await tab(page, 'Services').click()
  await expect(page.getByText('No service data available')).toBeVisible()
  await checkAccessibility()
  await page.getByRole('button', { name: 'Show this year' }).click()
  await expect(page).toHaveURL(/view=services&range=this-year/)
  await expect(page.getByLabel('Dates')).toHaveValue('this-year')
})

test('METRICS-01 METRICS-03 METRICS-12: completed bookings alone are revenue, beside the days before', async ({
  page,
  person,
  checkAccessibility,
}) => {
  await cut(person, [
    visit(-1, '09:00'),
    visit(-2, '09:00', 'Colour'),
    visit(-3, '09:00', 'Colour', 'cancelled'),
    visit(-4, '09:00', 'Cut', 'confirmed'),
    visit(-29, '23:30'),
    visit(-30, '09:00', 'Wash'),
    visit(-59, '09:00', 'Wash'),
  ])
  await page.goto(analytics)
  await expect(total(page, 'Bookings')).toContainText('5')
  await expect(total(page, 'Bookings')).toContainText(/\+150\.0%\s*before: 2/)
  await expect(total(page, 'Revenue')).toContainText('$95.50')
  await expect(total(page, 'Revenue')).toContainText('before: $20.00')
  await expect(total(page, 'Completion rate')).toContainText('60%')
  await expect(total(page, 'Cancelled')).toContainText(/\+100\.0%\s*before: 0/)
  await expect(page.getByText('Most revenue from').locator('..')).toContainText('Colour')
  const trend = chart(page, 'Revenue trend')
  const months = await figuresOf(trend)
  expect(months).toHaveLength(6)
  const sum = months.reduce((all, [, money]) => all + Number(money?.replace('$', '')), 0)
  expect(sum).toBe(115.5)
  await checkAccessibility()
  await expectNoOverflow(page)
})

test('METRICS-04 METRICS-05: bookings by service, and the hours of all days or of one', async ({
  page,
  person,
  checkAccessibility,
}) => {
  await cut(person, [
    visit(-7, '09:00'),
    visit(-7, '09:30'),
    visit(-14, '23:30', 'Colour', 'cancelled'),
    visit(6, '17:00', 'Cut', 'pending'),
  ])
  await page.goto(`${analytics}&view=bookings&range=custom&from=${shopDay(-14)}&to=${shopDay(6)}`)
  const services = chart(page, 'Bookings by service')
  expect(await figuresOf(services)).toEqual([
    ['Cut', '2', '1', '0'],
    ['Colour', '0', '0', '1'],
  ])
  const hours = chart(page, 'Peak booking hours')
  const all = await figuresOf(hours)
  expect(all).toHaveLength(24)
  expect([all[9], all[17], all[23]]).toEqual([
    ['09:00–10:00', '2'],
    ['17:00–18:00', '1'],
    ['23:00–00:00', '1'],
  ])
  await expect(hours).toContainText('Most bookings start between 09:00–10:00.')
  const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(
    new Date(`${shopDay(6)}T00:00:00Z`),
  )
  const filter = hours.getByLabel('Weekday')
  await expect(filter.getByRole('option')).toHaveCount(8)
  await filter.selectOption(weekday)
  await expect(hours).toContainText('Most bookings start between 17:00–18:00.')
  expect((await figuresOf(hours)).filter(([, count]) => count !== '0')).toEqual([
    ['17:00–18:00', '1'],
  ])
  await checkAccessibility()
  await expectNoOverflow(page)
  await page.reload()
  await expect(filter).toHaveValue(weekday.toLowerCase())
})

test('METRICS-02 METRICS-03: revenue by week, month and year, and the trend beside it', async ({
  page,
  person,
  checkAccessibility,
}) => {
  await cut(person, [visit(0, '00:00'), visit(-6, '09:00', 'Colour'), visit(-400, '09:00', 'Wash')])
  await page.goto(`${analytics}&view=revenue&range=custom&from=${shopDay(-400)}&to=${today()}`)
  const dates = chart(page, 'Revenue in these dates')
  await expect(total(page, 'Revenue')).toContainText('$85.50')
  await expect(total(page, 'Average per visit')).toContainText('$28.50')
  const earned = async () => (await figuresOf(dates)).filter(([, money]) => money !== '$0.00')
  await expect(dates.getByRole('radio', { name: 'Weekly' })).toBeChecked()
  expect((await figuresOf(dates)).length).toBeGreaterThan(56)
  await dates.getByText('Monthly').click()
  await expect(page).toHaveURL(/by=month/)
  await expect(dates.getByRole('columnheader', { name: 'Month' })).toBeVisible()
  await expect.poll(async () => (await figuresOf(dates)).length).toBeLessThan(16)
  await dates.getByText('Yearly').click()
  await expect(dates.getByRole('columnheader', { name: 'Year' })).toBeVisible()
  await expect.poll(async () => (await earned()).at(0)?.at(1)).toBe('$10.00')
  await expect(chart(page, 'Revenue trend').locator('svg.recharts-surface')).toBeVisible()
  expect(await figuresOf(chart(page, 'Revenue trend'))).toHaveLength(6)
  await checkAccessibility()
  await expectNoOverflow(page)
})

test('METRICS-06 METRICS-07 UI-02: each service with its bookings, completion rate and revenue', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const many = (service: string, done: number, open: number, from: number) =>
    Array.from({ length: done + open }, (_, index) =>
      visit(-from - index, '09:00', service, index < done ? 'completed' : 'confirmed'),
    )
  await cut(person, [
    ...many('Cut', 9, 1, 0),
    ...many('Colour', 7, 3, 10),
    ...many('Wash', 6, 3, 20),
  ])
  await page.goto(`${analytics}&view=services`)
  const rows = rowsOf(page)
  await expect(rows).toHaveCount(3)
  for (const [index, facts] of [
    ['Colour', '10', '7', '70%', '$388.50'],
    ['Cut', '10', '9', '90%', '$180.00'],
    ['Wash', '9', '6', '66.7%', '$60.00'],
  ].entries()) {
    for (const fact of facts) await expect(rows.nth(index)).toContainText(fact)
  }
  await expect(rows.nth(0).getByText('70%')).toHaveClass(/text-muted/)
  await expect(rows.nth(1).getByText('90%')).toHaveClass(/text-primary/)
  await expect(rows.nth(2).getByText('66.7%')).toHaveClass(/text-danger/)
  await checkAccessibility()
  await expectNoOverflow(page)
})

test('METRICS-08: dates are chosen from presets or a calendar, and stand in the address', async ({
  page,
  person,
  checkAccessibility,
}) => {
  await cut(person, [
    visit(-1, '09:00'),
    visit(-6, '09:00'),
    visit(-7, '09:00'),
    visit(-89, '09:00'),
  ])
  await page.goto(analytics)
  const dates = page.getByLabel('Dates')
  await expect(dates).toHaveValue('last-30')
  expect(await dates.getByRole('option').allInnerTexts()).toEqual([
    'Last 7 days',
    'Last 30 days',
    'Last 90 days',
    'This month',
    'Last month',
    'This year',
    'Custom',
  ])
  await expect(total(page, 'Bookings')).toContainText(/Bookings\s*3/)
  await dates.selectOption('Last 7 days')
  await expect(total(page, 'Bookings')).toContainText(/Bookings\s*2/)
  await dates.selectOption('Last 90 days')
  await expect(total(page, 'Bookings')).toContainText(/Bookings\s*4/)
  await page.goBack()
  await expect(dates).toHaveValue('last-7')
  await expect(total(page, 'Bookings')).toContainText(/Bookings\s*2/)

  await dates.selectOption('Custom')
  const opener = page.getByRole('button', { name: 'Choose the dates' })
  await tabTo(page, opener)
  await page.keyboard.press('Enter')
  const calendar = page.getByRole('dialog', { name: 'Choose the dates' })
  await expect(calendar.getByRole('grid')).toHaveCount(test.info().project.name === 'phone' ? 1 : 2)
  await expect(calendar.locator(`[data-date="${today()}"]`)).toBeFocused()
  const day = await calendar.locator(`[data-date="${today()}"]`).boundingBox()
  expect(day?.width).toBeGreaterThanOrEqual(44)
  await expect(calendar.getByRole('button', { name: 'Next month' })).toBeInViewport({ ratio: 1 })
  await checkAccessibility()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(calendar.getByText('Choose the last day')).toBeVisible()
  await page.keyboard.press('ArrowUp')
  await expect(calendar.locator(`[data-date="${shopDay(-8)}"]`)).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(calendar).toBeHidden()
  await expect(opener).toBeFocused()
  await expect(page).toHaveURL(new RegExp(`range=custom&from=${shopDay(-7)}&to=${shopDay(-1)}`))
  await expect(total(page, 'Bookings')).toContainText(/Bookings\s*3/)
  await opener.click()
  await page.keyboard.press('Escape')
  await expect(calendar).toBeHidden()
})

test('METRICS-01: analytics that cannot be loaded says so and can be tried again', once, async ({
  page,
  person,
}) => {
  await cut(person, [visit(-1, '09:00')])
  await page.route('**/rpc/analytics_totals*', (route) =>
    route.fulfill({ status: 400, json: { code: 'x', message: 'no' } }),
  )
  await page.goto(analytics)
  await expect(page.getByText('The analytics could not be loaded')).toBeVisible()
  await page.unroute('**/rpc/analytics_totals*')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(total(page, 'Bookings')).toContainText(/Bookings\s*1/)
})
