import { readFile } from 'node:fs/promises'
import { readSheet } from 'read-excel-file/node'
import { tabTo } from './accounts'
import { expectNoOverflow } from './admins'
import { download } from './downloads'
import { expect, once, test } from './fixtures'
import { adTab, cells, figure, labels, measured, metrics, recordDays, summary, tab, today } from './metric-screens'
import { givePlan, shopOf } from './owners'
import { shopDay } from './visited-shops'

const businessTen = [
  'Page views',
  'Calls',
  'Directions and map views',
  'Website clicks',
  'Messages',
  'Online bookings',
  'Bookmarks',
  'Total leads',
  'Reply rate',
  'Median response time',
]
const advertiserNine = [
  'Impressions',
  'Clicks',
  'Click-through rate',
  'Ad cost',
  'Cost per click',
  'Ad-driven calls',
  'Ad-driven reservations',
  'Ad-driven messages',
  'Ad-driven leads',
]

test('SUB-07: without a plan for it, Business Metrics shows a description and reads nothing', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const shop = await shopOf(person)
  await recordDays('business_metrics', shop, [{ days: 1, num_calls: 3 }])
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto('/dashboard?tab=businesses')
  await expect(
    page.getByRole('tablist', { name: 'Parts of the business' }).getByRole('tab'),
  ).toHaveText(['Business Metrics', 'Analytics', 'Availability', 'Reviews'])
  await expect(page.getByRole('heading', { name: 'Business Metrics come with' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'See the plans' })).toHaveAttribute('href', '/plans')
  await checkAccessibility()
  await expectNoOverflow(page)
  expect(asked.filter((url) => url.includes('_metrics?'))).toEqual([])
  const { data } = await person.client.from('business_metrics').select('num_calls')
  expect(data).toEqual([])
  await givePlan(person, 'pro')
  await page.reload()
  await expect(figure(page, 'Calls')).toContainText(/Calls\s*3/)
})

test('METRICS-14 METRICS-19 METRICS-23 CONST-20: 7, 30 or 90 days, beside as many before', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const shop = await measured(
    person,
    [0, 6, 7, 29, 30, 59, 60, 89, 90, 179, 180].map((days) => ({ days, num_calls: 1 })),
    [{ days: 3, billed_clicks: 2 }],
  )
  const asked: URL[] = []
  page.on('request', (request) => {
    if (request.url().includes('_metrics?')) asked.push(new URL(request.url()))
  })
  await page.goto(metrics)
  await expect(page.getByRole('radio', { name: '30 days' })).toBeChecked()
  await expect(figure(page, 'Calls')).toContainText(/Calls\s*4/)
  await expect(figure(page, 'Calls')).toContainText('before: 2')
  await expect(page.getByText('Compared with the 30 days before')).toBeVisible()
  await expect(page.getByText('every five minutes and count each visitor once a day')).toBeVisible()
  expect(asked.map((url) => url.pathname).toSorted()).toEqual([
    '/rest/v1/advertiser_metrics',
    '/rest/v1/business_metrics',
  ])
  for (const { searchParams } of asked) {
    expect(searchParams.get('business_id')).toBe(`eq.${shop.id}`)
    expect(searchParams.getAll('metric_date')).toEqual([`gte.${shopDay(-59)}`, `lte.${today()}`])
    expect(searchParams.get('order')).toBe('metric_date.asc')
  }

  await page.getByText('7 days', { exact: true }).click()
  await expect(page).toHaveURL(/days=7/)
  await expect(figure(page, 'Calls')).toContainText(/Calls\s*2/)
  await expect(figure(page, 'Calls')).toContainText('before: 1')
  await page.getByText('90 days', { exact: true }).click()
  await expect(figure(page, 'Calls')).toContainText(/Calls\s*8/)
  await expect(figure(page, 'Calls')).toContainText('before: 2')
  await page.reload()
  await expect(page.getByRole('radio', { name: '90 days' })).toBeChecked()
  await page.goBack()
  await expect(page.getByRole('radio', { name: '7 days' })).toBeChecked()
  await checkAccessibility()
  await expectNoOverflow(page)
})

test('METRICS-18 METRICS-20 METRICS-21 CONST-20: eight figures, and a summary of ten and of nine with their trends', async ({
  page,
  person,
  checkAccessibility,
}) => {
  await measured(
    person,
    [
      { days: 31, num_total_page_views: 100, num_calls: 100, url_clicks: 10, online_bookings: 0, num_bookmarks: 100 },
      { days: 1, num_total_page_views: 106, num_calls: 94, url_clicks: 0, online_bookings: 2, num_bookmarks: 105 },
    ],
    [{ days: 1, billed_impressions: 400, billed_clicks: 5 }],
  )
  await page.goto(metrics)
  await expect(figure(page, 'Page views')).toContainText(/106\s*up\s*\+6\.0%\s*before: 100/)
  expect(await labels(page)).toEqual(businessTen.slice(0, 8))
  const business = summary(page, 'the business')
  expect(await business.getByRole('row').getByRole('cell').nth(0).innerText()).toBe('Page views')
  expect((await business.locator('tbody tr td:first-child').allInnerTexts())).toEqual(businessTen)
  expect(await summary(page, 'advertising').locator('tbody tr td:first-child').allInnerTexts()).toEqual(
    advertiserNine,
  )
  expect(await cells(business, 'Page views')).toEqual(['Page views', '106', '100', 'up +6.0%'])
  expect(await cells(business, 'Calls')).toEqual(['Calls', '94', '100', 'down -6.0%'])
  expect(await cells(business, 'Bookmarks')).toEqual(['Bookmarks', '105', '100', 'stable +5.0%'])
  expect(await cells(business, 'Website clicks')).toEqual(['Website clicks', '0', '10', 'down -100.0%'])
  expect(await cells(business, 'Online bookings')).toEqual(['Online bookings', '2', '0', 'up +100.0%'])
  expect(await cells(business, 'Messages')).toEqual(['Messages', '0', '0', 'stable 0.0%'])
  expect(await cells(business, 'Reply rate')).toEqual(['Reply rate', '–', '–', ''])
  await checkAccessibility()
  await expectNoOverflow(page)
})

test('METRICS-15 METRICS-16 METRICS-24 METRICS-25 METRICS-26: each part has its figures in their units', async ({
  page,
  person,
  checkAccessibility,
}) => {
  await measured(
    person,
    [
      { days: 2, num_calls: 2, num_search_views: 40, num_photo_views: 7, num_user_photos: 1, num_check_ins: 3, reviews: 2,
        rating: 4.25, reply_rate: 100, median_response_time_in_sec: 65 },
      { days: 1, num_calls: 1, rating: 4.5, reply_rate: 33.33, median_response_time_in_sec: 425 },
    ],
    [
      { days: 2, billed_impressions: 900, billed_clicks: 9, ad_cost: 100_000, ad_driven_calls: 4, ad_driven_total_leads: 5 },
      { days: 1, billed_impressions: 70, billed_clicks: 3, ad_cost: 23_456, ad_driven_biz_page_views: 6 },
    ],
  )
  await page.goto(metrics)
  await expect(page.getByRole('tablist', { name: 'Parts of the metrics' }).getByRole('tab')).toHaveText([
    'Overview',
    'Engagement',
    'Communication',
    'Advertising',
    'Trends',
  ])
  await tab(page, 'Engagement').click()
  await expect(figure(page, 'Search appearances')).toContainText('40')
  await expect(figure(page, 'Photo views')).toContainText('7')
  await expect(figure(page, 'Photos added')).toContainText('1')
  await expect(figure(page, 'Completed visits')).toContainText('3')
  await expect(figure(page, 'Rating')).toContainText('4.5')
  await expect(figure(page, 'New reviews')).toContainText('2')
  await expect(page.getByRole('figure', { name: 'Visitors by day' }).locator('svg.recharts-surface')).toBeVisible()
  await checkAccessibility()
  await expectNoOverflow(page)

  await tab(page, 'Communication').click()
  await expect(figure(page, 'Reply rate')).toContainText('66.7%')
  await expect(figure(page, 'Median response time')).toContainText('4 min 05 s')
  await expect(page.getByRole('figure', { name: 'Contacts by day' }).locator('svg.recharts-surface')).toBeVisible()
  await checkAccessibility()
  await expectNoOverflow(page)

  await tab(page, 'Advertising').click()
  await expect(page.getByRole('tablist', { name: 'Parts of advertising' }).getByRole('tab')).toHaveText([
    'Overview',
    'Performance',
    'Cost Analysis',
    'Lead Generation',
    'Trends',
  ])
  await expect(figure(page, 'Ad cost')).toContainText('$1,234.56')
  expect(await labels(page)).toEqual(advertiserNine)
  await adTab(page, 'Performance').click()
  await expect(figure(page, 'Click-through rate')).toContainText('1.24%')
  await expect(figure(page, 'Ad-driven page views')).toContainText('6')
  await adTab(page, 'Cost Analysis').click()
  await expect(figure(page, 'Cost per click')).toContainText('$102.88')
  await adTab(page, 'Lead Generation').click()
  await expect(figure(page, 'Ad-driven calls')).toContainText('4')
  await expect(page.getByRole('figure', { name: 'Leads by day' })).toBeVisible()
  await page.getByText('7 days', { exact: true }).click()
  await expect(page).toHaveURL(/view=advertising&ads=leads&days=7/)
  await expect(figure(page, 'Ad-driven leads')).toContainText('5')
  // The old, dimmed figures are replaced by those of the new period.
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await checkAccessibility()
  await expectNoOverflow(page)
  await adTab(page, 'Trends').click()
  await expect(page.getByRole('figure')).toHaveCount(10)
})

test('METRICS-15 METRICS-17: trends are a line for each chosen metric, with its table', async ({
  page,
  person,
  checkAccessibility,
}) => {
  await measured(person, [
    { days: 6, num_calls: 5, reply_rate: 50 },
    { days: 0, num_calls: 2 },
  ])
  await page.goto(`${metrics}&view=trends&days=7&hide=pageViews,searches,photoViews`)
  await expect(page.getByRole('figure')).toHaveCount(13)
  await expect(page.getByRole('figure', { name: 'Page views' })).toHaveCount(0)
  const calls = page.getByRole('figure', { name: 'Calls' })
  await expect(calls.locator('svg.recharts-surface')).toBeVisible()
  await calls.getByText('Show as a table').click()
  const rows = calls.getByRole('row').filter({ has: page.getByRole('cell') })
  await expect(rows).toHaveCount(7)
  const counts = await rows.locator('td:last-child').allInnerTexts()
  expect(counts).toEqual(['5', '0', '0', '0', '0', '0', '2'])
  const replies = page.getByRole('figure', { name: 'Reply rate' })
  await replies.getByText('Show as a table').click()
  await expect(replies.getByRole('row').nth(1)).toContainText('50.0%')
  await expect(replies.getByRole('row').nth(2)).toContainText('–')
  await checkAccessibility()
  await expectNoOverflow(page)
})

test('METRICS-17 S-43: Filter chooses the metrics, Export makes files of those', once, async ({
  page,
  person,
  checkAccessibility,
}) => {
  await measured(
    person,
    [{ days: 1, num_total_page_views: 9, num_calls: 3, median_response_time_in_sec: 65 }],
    [{ days: 1, billed_impressions: 300, billed_clicks: 7, ad_cost: 215 }],
  )
  await page.goto(`${metrics}&days=7`)
  const opener = page.getByRole('button', { name: 'Filter' })
  await tabTo(page, opener)
  await page.keyboard.press('Enter')
  const filter = page.getByRole('dialog', { name: 'Metrics shown' })
  await expect(filter.getByRole('checkbox')).toHaveCount(19)
  await expect(filter.getByRole('checkbox').first()).toBeFocused()
  await checkAccessibility()
  await page.keyboard.press('Space')
  await expect(page).toHaveURL(/hide=pageViews/)
  await expect(filter.getByRole('checkbox', { name: 'Page views' })).not.toBeChecked()
  await filter.getByRole('checkbox', { name: 'Impressions' }).click()
  await expect(filter.getByRole('checkbox', { name: 'Impressions' })).not.toBeChecked()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Filter, 2 hidden' })).toBeFocused()
  expect(await labels(page)).toEqual(businessTen.slice(1, 9))
  await expect(summary(page, 'advertising').locator('tbody tr')).toHaveCount(8)

  const each = await download(page, 'Export', 'Each day, CSV')
  expect(each.name).toBe(`metrics-days-export-${today()}.csv`)
  const lines = (await readFile(each.path, 'utf8')).trimEnd().split('\r\n')
  expect(lines).toHaveLength(8)
  const columns = lines[0]?.replace('\ufeff', '').split(',') ?? []
  expect(columns).not.toContain('pageViews')
  const yesterday = lines.at(-2)?.split(',') ?? []
  const of = (column: string) => yesterday[columns.indexOf(column)]
  expect(['date', 'calls', 'responseTime', 'clicks', 'adCost', 'costPerClick', 'replyRate'].map(of)).toEqual([
    shopDay(-1),
    '3',
    '65',
    '7',
    '2.15',
    '0.31',
    '',
  ])
  const whole = await download(page, 'Export', 'Summary, Excel')
  expect(whole.name).toBe(`metrics-summary-export-${today()}.xlsx`)
  const rows = await readSheet(whole.path)
  expect(rows).toContainEqual(['Calls', 'count', 3, 0, 100, 'up'])
  expect(rows.map(([name]) => name)).not.toContain('Page views')
  await expect(page.getByRole('region', { name: 'Message' })).toContainText('The file is in your downloads')

  await page.goto(`${metrics}&view=advertising&ads=cost&hide=adCost,costPerClick,clicks`)
  await expect(page.getByText('All metrics are hidden')).toBeVisible()
  await checkAccessibility()
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(figure(page, 'Ad cost')).toContainText('$2.15')
})

test('METRICS-14 METRICS-15: without figures each part says so, and leads on; one day is enough', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const shop = await measured(person, [])
  await page.goto(metrics)
  for (const name of ['Overview', 'Engagement', 'Communication', 'Trends']) {
    await tab(page, name).click()
    await expect(tab(page, name)).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByText('No figures in these days')).toBeVisible()
  }
  await checkAccessibility()
  await tab(page, 'Advertising').click()
  await expect(page.getByText('No figures of a promotion in these days')).toBeVisible()
  await page.getByRole('button', { name: 'Show 90 days' }).click()
  await expect(page).toHaveURL(/view=advertising&days=90/)
  await expect(page.getByRole('link', { name: 'Improve the listing' })).toHaveAttribute(
    'href',
    `/business/edit/${shop.id}`,
  )
  await expectNoOverflow(page)
  await recordDays('business_metrics', shop, [{ days: 0, num_calls: 1 }])
  await page.goto(`${metrics}&days=7`)
  await expect(figure(page, 'Calls')).toContainText(/Calls\s*1/)
  await expect(figure(page, 'Page views')).toContainText(/Page views\s*0/)
})

test('METRICS-22: metrics that cannot be loaded say so and can be tried again', once, async ({
  page,
  person,
  checkAccessibility,
}) => {
  await measured(person, [{ days: 1, num_calls: 3 }])
  const broken = '**/rest/v1/advertiser_metrics*'
  await page.route(broken, (route) =>
    route.fulfill({ status: 400, json: { code: 'x', message: 'no' } }),
  )
  await page.goto(metrics)
  await expect(page.getByText('The metrics could not be loaded')).toBeVisible()
  await checkAccessibility()
  await page.unroute(broken)
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(figure(page, 'Calls')).toContainText(/Calls\s*3/)
})

test('METRICS-14 METRICS-15 METRICS-16: periods and tabs work by keyboard', once, async ({
  page,
  person,
}) => {
  await measured(person, [{ days: 1, num_calls: 3 }], [{ days: 1, ad_cost: 150 }])
  await page.goto(metrics)
  await tabTo(page, page.getByRole('radio', { name: '30 days' }))
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('radio', { name: '7 days' })).toBeFocused()
  await expect(page).toHaveURL(/days=7/)
  await tabTo(page, tab(page, 'Overview'))
  for (const name of ['Engagement', 'Communication', 'Advertising']) {
    await page.keyboard.press('ArrowRight')
    await expect(tab(page, name)).toBeFocused()
    await expect(tab(page, name)).toHaveAttribute('aria-selected', 'true')
  }
  await tabTo(page, adTab(page, 'Overview'))
  await page.keyboard.press('ArrowRight')
  await expect(adTab(page, 'Performance')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowRight')
  await expect(adTab(page, 'Cost Analysis')).toBeFocused()
  await expect(figure(page, 'Ad cost')).toContainText('$1.50')
  await expect(page).toHaveURL(/view=advertising&ads=cost&days=7/)
})
