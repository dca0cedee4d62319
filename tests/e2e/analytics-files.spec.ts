import { readFile } from 'node:fs/promises'
import { readSheet } from 'read-excel-file/node'
import { analytics, cut, visit } from './analytics-screens'
import { download } from './downloads'
import { expect, once, test } from './fixtures'
import { shopDay } from './visited-shops'

const today = () => shopDay(0)

test('METRICS-09 METRICS-10 METRICS-11: bookings, revenue and services become files of both kinds', once, async ({
  page,
  person,
  checkAccessibility,
}) => {
  await cut(person, [
    { ...visit(-1, '09:00'), notes: '=1+1' },
    { ...visit(-2, '10:30', 'Colour', 'cancelled'), notes: 'Comes late,\u000b says "hello"' },
  ])
  await page.goto(`${analytics}&range=last-7`)
  await page.getByRole('button', { name: 'Export bookings' }).click()
  await checkAccessibility()
  await page.keyboard.press('Escape')

  const csv = await download(page, 'Export bookings', 'CSV')
  expect(csv.name).toBe(`bookings-export-${today()}.csv`)
  expect(await readFile(csv.path, 'utf8')).toBe(
    `\ufeffdate,startTime,endTime,service,price,status,notes\r\n` +
      `${shopDay(-2)},10:30,11:00,Colour,55.5,cancelled,"Comes late,\u000b says ""hello"""\r\n` +
      `${shopDay(-1)},09:00,09:30,Cut,20,completed,'=1+1\r\n`,
  )
  const xlsx = await download(page, 'Export bookings', 'Excel')
  expect(xlsx.name).toBe(`bookings-export-${today()}.xlsx`)
  expect(await readSheet(xlsx.path)).toEqual([
    ['date', 'startTime', 'endTime', 'service', 'price', 'status', 'notes'],
    [
      new Date(shopDay(-2)),
      '10:30',
      '11:00',
      'Colour',
      55.5,
      'cancelled',
      'Comes late, says "hello"',
    ],
    [new Date(shopDay(-1)), '09:00', '09:30', 'Cut', 20, 'completed', '=1+1'],
  ])
  await expect(page.getByRole('region', { name: 'Message' })).toContainText(
    'The file is in your downloads',
  )

  const revenue = await download(page, 'Export revenue', 'Excel')
  expect(revenue.name).toBe(`revenue-export-${today()}.xlsx`)
  const days = await readSheet(revenue.path)
  expect(days).toHaveLength(8)
  expect(days.at(0)).toEqual(['date', 'completedBookings', 'revenue'])
  expect(days.at(-2)).toEqual([new Date(shopDay(-1)), 1, 20])
  const services = await download(page, 'Export services', 'CSV')
  expect(services.name).toBe(`services-export-${today()}.csv`)
  expect(await readFile(services.path, 'utf8')).toBe(
    '\ufeffservice,bookings,completed,completionRate,revenue\r\nColour,1,0,0,0\r\nCut,1,1,100,20\r\n',
  )
})

test('METRICS-09: a file has all bookings of its dates, however many pages they are', once, async ({
  page,
  person,
}) => {
  const visits = Array.from({ length: 1050 }, (_, index) => ({
    ...visit(-1 - (index % 5), '09:00', 'Cut', 'cancelled'),
    notes: String(index),
  }))
  await cut(person, visits)
  await page.goto(analytics)
  const { path } = await download(page, 'Export bookings', 'CSV')
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\r\n').slice(1)
  const notes = lines.map((line) => Number(line.split(',').at(-1)))
  expect(notes).toHaveLength(visits.length)
  expect(new Set(notes).size).toBe(visits.length)
})

test('METRICS-09: an export that is not possible is explained', once, async ({
  page,
  person,
  checkAccessibility,
}) => {
  await cut(person, [])
  await page.goto(analytics)
  const choose = async (kind: string) => {
    await page.getByRole('button', { name: `Export ${kind}` }).click()
    await page.getByRole('menuitem', { name: 'CSV' }).click()
  }
  await choose('bookings')
  await expect(page.getByText('There is nothing to export in these dates')).toBeVisible()
  await page.route('**/rpc/analytics_revenue*', (route) =>
    route.fulfill({ status: 400, json: { code: 'x', message: 'no' } }),
  )
  await choose('revenue')
  await expect(page.getByRole('alert')).toContainText('The file could not be made')
  await checkAccessibility()
})

test('METRICS-09: a file takes 50,000 bookings and not one more', once, async ({ page, person }) => {
  test.slow() // fifty responses of a thousand rows, twice
  const shop = await cut(person, [visit(-1, '09:00')])
  let stored = 50_001
  let sent = 0
  await page.route(`**/rest/v1/bookings?select=id%2Cbooking_date%2Cstart_time*`, async (route) => {
    const rows = Array.from({ length: Math.min(1000, stored - sent) }, (_, index) => ({
      id: `${sent + index}`,
      booking_date: shopDay(-1),
      start_time: '09:00:00',
      end_time: '10:00:00',
      service_name: 'Cut',
      service_price: 20,
      status: 'completed',
      notes: null,
    }))
    sent += rows.length
    await route.fulfill({ json: rows })
  })
  await page.goto(`${analytics}&business=${shop.id}`)
  await page.getByRole('button', { name: 'Export bookings' }).click()
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  // Fifty responses pass through the test one after the other: 20 s on a busy machine.
  await expect(page.getByText('These are too many bookings for one file')).toBeVisible({ timeout: 60_000 })
  await expect(
    page.getByText('A file takes 50,000 bookings. Choose fewer days.'),
  ).toBeVisible()
  stored = 50_000
  sent = 0
  const { path } = await download(page, 'Export bookings', 'CSV')
  expect((await readFile(path, 'utf8')).trimEnd().split('\r\n')).toHaveLength(50_001)
  await expect(page.getByText('These are too many bookings for one file')).toHaveCount(0)
})
