import { service } from './accounts'
import { expect, hold, once, test, todayIn } from './fixtures'
import { shopOf } from './owners'

const zone = 'Europe/Andorra'

/** The next Saturday that is at least a week away, as yyyy-MM-dd. */
function nextSaturday(): string {
  const day = new Date(todayIn(zone))
  day.setUTCDate(day.getUTCDate() + 7 + ((6 - day.getUTCDay() + 7) % 7))
  return day.toISOString().slice(0, 10)
}

test('METRICS-27 METRICS-28 METRICS-29 METRICS-30 METRICS-31 METRICS-32 CONST-15 CONST-16: a week is set, saved, and holds at once', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const shop = await shopOf(person)
  await page.goto('/dashboard?tab=businesses&part=availability')
  const monday = page.getByRole('group', { name: 'Monday' })
  const saturday = page.getByRole('group', { name: 'Saturday' })
  await expect(monday.getByRole('checkbox')).toBeChecked()
  await expect(saturday.getByRole('checkbox')).not.toBeChecked()
  await expect(saturday).toContainText('Closed')
  await expect(page.getByText('No blackout dates set')).toBeVisible()
  const from = monday.getByLabel('Monday, slot 1, from')
  await expect(from).toHaveValue('09:00')
  await expect(monday.getByLabel('Monday, slot 1, to')).toHaveValue('17:00')
  await expect(from.getByRole('option')).toHaveCount(48)
  await expect(monday.getByRole('button', { name: 'Remove slot 1 of Monday' })).toBeDisabled()
  await checkAccessibility()

  await saturday.getByRole('checkbox').check()
  await expect(saturday.getByLabel('Saturday, slot 1, from')).toHaveValue('09:00')
  await saturday.getByLabel('Saturday, slot 1, to').selectOption('10:00')
  await monday.getByRole('checkbox').uncheck()
  await expect(monday).toContainText('Closed')
  const tuesday = page.getByRole('group', { name: 'Tuesday' })
  await tuesday.getByRole('button', { name: 'Add slot on Tuesday' }).click()
  await tuesday.getByLabel('Tuesday, slot 2, from').selectOption('12:00')
  await expect(tuesday.getByRole('alert')).toHaveText('Slots of a day must not overlap.')
  const save = page.getByRole('button', { name: 'Save Availability' })
  await expect(save).toBeDisabled()
  await tuesday.getByRole('button', { name: 'Remove slot 2 of Tuesday' }).click()
  await save.click()
  await expect(page.getByRole('region', { name: 'Message' })).toContainText('Availability saved')
  await page.reload()
  await expect(saturday.getByLabel('Saturday, slot 1, to')).toHaveValue('10:00')
  await expect(monday.getByRole('checkbox')).not.toBeChecked()

  const { data } = await service().rpc('booking_slots', {
    p_business_id: shop.id,
    p_service_id: null,
    p_date: nextSaturday(),
  })
  const free = data.filter((slot: { available: boolean }) => slot.available)
  expect(free.map((slot: { start_time: string }) => slot.start_time)).toEqual([
    '09:00:00',
    '09:30:00',
  ])
})

test('METRICS-31 METRICS-32: a day off is added and taken out again', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const shop = await shopOf(person)
  const stored = async () => {
    const { data } = await service()
      .from('blackout_dates')
      .select('blackout_date')
      .eq('business_id', shop.id)
    return data
  }
  await page.goto('/dashboard?tab=businesses&part=availability')
  await page.getByRole('button', { name: 'Add a date' }).click()
  await page.locator(`[data-date="${todayIn(zone)}"]`).click()
  await expect(page.getByText('No blackout dates set')).toHaveCount(0)
  await checkAccessibility()
  const save = page.getByRole('button', { name: 'Save Availability' })
  await save.click()
  await expect.poll(stored).toEqual([{ blackout_date: todayIn(zone) }])
  await page
    .getByRole('region', { name: 'Blackout Dates' })
    .getByRole('button', { name: /^Remove/ })
    .click()
  await expect(page.getByText('No blackout dates set')).toBeVisible()
  await save.click()
  await expect.poll(stored).toEqual([])
})

test('METRICS-32: the schedule is compared with the opening hours, and unsaved changes are protected', async ({
  page,
  person,
}) => {
  const shop = await shopOf(person)
  const { error } = await service()
    .from('businesses')
    .update({
      hours: { structured: { monday: { open: '10:00', close: '20:00', isOpen: true } } },
    })
    .eq('id', shop.id)
  expect(error).toBeNull()
  await page.goto('/dashboard?tab=businesses&part=availability')
  const monday = page.getByRole('group', { name: 'Monday' })
  await expect(monday).toContainText('Opening hours 10:00–20:00')
  await expect(monday).toContainText('Times outside your opening hours cannot be booked.')
  await expect(page.getByRole('group', { name: 'Tuesday' })).toContainText(
    'Closed by your opening hours',
  )
  await monday.getByLabel('Monday, slot 1, from').selectOption('10:00')
  await expect(monday).not.toContainText('Times outside')
  await page.getByRole('tab', { name: 'Overview' }).click()
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
  await dialog.getByRole('button', { name: 'Stay' }).click()
  await expect(monday.getByLabel('Monday, slot 1, from')).toHaveValue('10:00')
  await page.getByRole('tab', { name: 'Overview' }).click()
  await dialog.getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL('/dashboard')
})

test('a save that fails says so, keeps the week, and loses no focus', once, async ({ page, person }) => {
  const shop = await shopOf(person)
  await page.route('**/rpc/save_availability*', (route) => route.abort())
  await page.goto('/dashboard?tab=businesses&part=availability')
  await page.getByRole('group', { name: 'Sunday' }).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Save Availability' }).click()
  await expect(page.getByText('The availability was not saved')).toBeVisible()
  await expect(page.getByRole('group', { name: 'Sunday' }).getByRole('checkbox')).toBeChecked()
  await page.unroute('**/rpc/save_availability*')

  // Another window saves in between; whichever version is kept, the focus stays here.
  const saveElsewhere = async () => {
    const { error } = await person.client.rpc('save_availability', {
      p_business_id: shop.id,
      p_weekly_schedule: null,
      p_blackout_dates: [],
    })
    expect(error).toBeNull()
  }
  const save = page.getByRole('button', { name: 'Save Availability' })
  const bar = save.locator('..')
  for (const choice of ['Save mine', 'Use theirs']) {
    await saveElsewhere()
    await save.click()
    await page.getByRole('button', { name: choice }).press('Enter')
    await expect(page.getByRole('button', { name: choice })).toHaveCount(0)
    await expect(bar).toBeFocused()
    // Otherwise the next save elsewhere may come before this one.
    await expect(save).not.toHaveAttribute('aria-busy')
    await page.getByRole('group', { name: 'Sunday' }).getByLabel(/to$/).selectOption('18:00')
  }

  // Changes made while a save is running are kept, and saved next.
  const answer = await hold(page, '**/rpc/save_availability*')
  await save.click()
  const end = page.getByRole('group', { name: 'Sunday' }).getByLabel(/to$/)
  await end.selectOption('19:00')
  await expect(save).toHaveAttribute('aria-busy', 'true')
  answer()
  await expect(save).not.toHaveAttribute('aria-busy')
  await expect(end).toHaveValue('19:00')
  await expect(save).toBeEnabled()
})
