import type { Page } from '@playwright/test'
import { service } from './accounts'
import { enter, expect, newPerson, once, test } from './fixtures'
import { type Shop, shopOf } from './owners'

async function stored({ id }: Shop) {
  const { data, error } = await service().from('businesses').select('*').eq('id', id).single()
  if (error) throw error
  return data
}

async function openTab(page: Page, { id }: Shop, tab: string): Promise<void> {
  await page.goto(`/business/edit/${id}?tab=${tab}`)
  await expect(page.getByRole('tab', { selected: true })).toHaveText(tab, { ignoreCase: true })
}

const save = (page: Page) => page.getByRole('button', { name: 'Save changes' })
const saved = (page: Page) => page.getByRole('status').filter({ hasText: /^Saved$/ })

test('OWNER-05 OWNER-06 OWNER-09 ERR-34: details are saved on submit, and input survives a visit to another tab', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const shop = await shopOf(person)
  await openTab(page, shop, 'details')
  await expect(page.getByLabel('Business name')).toHaveValue(shop.name)
  await expect(page.getByRole('combobox', { name: 'Town' })).toHaveValue('andorra-la-vella')
  await expect(page.getByRole('link', { name: /^Preview/ })).toHaveAttribute(
    'href',
    `/business/${shop.id}`,
  )
  await checkAccessibility()
  await page.getByLabel('Phone').fill('+376 800 555')
  await page.getByRole('tab', { name: 'Hours' }).click()
  await expect(page).toHaveURL(`/business/edit/${shop.id}?tab=hours`)
  await expect(page.getByRole('tab', { name: 'Details' })).toContainText('Unsaved')
  await page.goBack()
  await expect(page.getByLabel('Phone')).toHaveValue('+376 800 555')
  expect((await stored(shop)).phone).toBeNull()
  await save(page).click()
  await expect(page.getByText('Business Updated')).toBeVisible()
  await expect(page).toHaveURL('/my-businesses')
  expect(await stored(shop)).toMatchObject({
    phone: '+376 800 555',
    location: 'Andorra la Vella, Andorra',
    owner_id: person.id,
  })
  // RULE-12: an empty phone is stored as null.
  await openTab(page, shop, 'details')
  await page.getByLabel('Phone').fill(' ')
  await save(page).click()
  await expect(page).toHaveURL('/my-businesses')
  expect((await stored(shop)).phone).toBeNull()
})

test('C-39 OWNER-09: an admin’s edit leaves the owner, and leads to the admin panel', once, async ({
  page,
  person,
}) => {
  const owner = await newPerson('Laia Serra')
  const shop = await shopOf(owner)
  await service().from('profiles').update({ role: 'admin' }).eq('id', person.id)
  await openTab(page, shop, 'details')
  await page.getByLabel('Tagline').fill('Seen to by an admin')
  await save(page).click()
  await expect(page).toHaveURL(/\/admin/)
  expect(await stored(shop)).toMatchObject({ tagline: 'Seen to by an admin', owner_id: owner.id })
})

test('a database refusal is shown at its field; the plan’s limit of a description', once, async ({
  page,
  person,
  checkAccessibility,
}) => {
  const shop = await shopOf(person)
  await openTab(page, shop, 'details')
  await page.getByLabel('Description').fill('x'.repeat(501))
  await expect(page.getByText('501 of 500 characters that your plan allows')).toBeVisible()
  await save(page).click()
  await expect(page.getByLabel('Description')).toHaveAccessibleDescription(
    /Your plan allows a description of 500 characters/,
  )
  await page.getByLabel('Description').fill('Short')
  // As if the database's rules had become stricter than the form's.
  await page.route('**/rest/v1/businesses*', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({
          status: 400,
          json: {
            code: '23514',
            message: 'new row violates check constraint "businesses_phone_check"',
          },
        })
      : route.continue(),
  )
  await save(page).click()
  await expect(page.getByLabel('Phone')).toHaveAccessibleDescription(/7 to 15 digits/)
  await expect(page.getByLabel('Phone')).toBeFocused()
  await checkAccessibility()
})

test('ERR-33: offline nothing that was typed is lost', async ({ page, person, context }) => {
  const shop = await shopOf(person)
  await openTab(page, shop, 'hours')
  await openTab(page, shop, 'details')
  await page.getByLabel('Tagline').fill('Typed on a train')
  await page.getByRole('tab', { name: 'Amenities' }).click()
  await context.setOffline(true)
  await page.getByLabel('Parking', { exact: true }).check()
  await expect(page.getByRole('alert')).toContainText('Could not save amenities')
  await expect(page.getByRole('alert')).toContainText('You are offline')
  await page.getByRole('tab', { name: 'Details' }).click()
  await expect(page.getByRole('tab', { name: 'Amenities' })).toContainText('Unsaved')
  await save(page).click()
  // The map below reports its own failure.
  await expect(page.getByRole('alert').filter({ hasText: 'Could not save business details' })).toBeVisible()
  await expect(page.getByLabel('Tagline')).toHaveValue('Typed on a train')

  await context.setOffline(false)
  await page.getByRole('tab', { name: 'Amenities' }).click()
  await expect(page.getByLabel('Parking', { exact: true })).toBeChecked()
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(saved(page)).toBeVisible()
  await page.getByRole('tab', { name: 'Details' }).click()
  await save(page).click()
  await expect(page).toHaveURL('/my-businesses')
  expect(await stored(shop)).toMatchObject({
    tagline: 'Typed on a train',
    amenities: [{ name: 'Parking' }],
  })
})

test('OWNER-07 OWNER-16 OWNER-17 OWNER-18: hours are saved with each change', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const shop = await shopOf(person)
  await openTab(page, shop, 'hours')
  await expect(page.getByText('No hours are stored yet')).toBeVisible()
  await checkAccessibility()
  const opens = page.getByLabel('Monday opens at')
  const times = await opens.getByRole('option').allTextContents()
  expect([times.length, times[0], times[1], times.at(-1)]).toEqual([48, '00:00', '00:30', '23:30'])
  await opens.selectOption('10:30')
  await expect(page.getByText('Hours Updated')).toBeVisible()
  await expect(saved(page)).toBeVisible()
  expect((await stored(shop)).hours.structured).toMatchObject({
    monday: { open: '10:30', close: '17:00', isOpen: true },
    sunday: { open: '09:00', close: '17:00', isOpen: false },
  })
  // By keyboard: the menu copies a day to others.
  await page.getByRole('button', { name: 'Copy Monday’s hours' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Every day' }).press('Enter')
  await expect(page.getByLabel('Sunday opens at')).toHaveValue('10:30')
  await page.getByLabel('Sunday open', { exact: true }).uncheck()
  await expect
    .poll(async () => (await stored(shop)).hours.structured)
    .toMatchObject({
      saturday: { open: '10:30', isOpen: true },
      sunday: { open: '10:30', isOpen: false },
    })
  await checkAccessibility()
  await page.goto(`/business/${shop.id}`)
  await expect(page.getByRole('row', { name: /Saturday/i })).toContainText('10:30 – 17:00')
})

test('OWNER-07 OWNER-12 OWNER-13 OWNER-14 OWNER-15: amenities are saved with each change', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const shop = await shopOf(person)
  await openTab(page, shop, 'amenities')
  await expect(page.getByRole('group', { name: 'Suggested' }).getByRole('checkbox')).toHaveCount(10)
  await page.getByLabel('Free Wi-Fi').check()
  await expect(page.getByText('Amenities Updated')).toBeVisible()
  const own = page.getByLabel('Your own')
  await own.fill('  Piano ')
  await own.press('Enter')
  await own.fill('piano')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await own.fill('Piano')
  await own.press('Enter')
  await expect(own).toHaveAccessibleDescription(/in the list already/)
  await own.fill('   ')
  await own.press('Enter')
  await expect(own).toHaveAccessibleDescription(/Type a name first/)
  await checkAccessibility()
  await page.getByRole('button', { name: 'Remove piano', exact: true }).click()
  await page.getByLabel('Free Wi-Fi').uncheck()
  await page.getByLabel('Delivery').check()
  await expect
    .poll(async () => (await stored(shop)).amenities)
    .toEqual([
      { name: 'Piano', icon: 'check', category: 'custom', available: true },
      { name: 'Delivery', icon: 'truck', category: 'service', available: true },
    ])
  await page.goto(`/business/${shop.id}`)
  await expect(page.getByText('Piano')).toBeVisible()
})

test('two tabs that edit one business do not undo each other', once, async ({
  page,
  person,
  context,
  checkAccessibility,
}) => {
  const shop = await shopOf(person)
  const other = await context.newPage()
  await enter(other, person)
  await openTab(page, shop, 'details')
  await openTab(other, shop, 'details')
  await other.getByLabel('Tagline').fill('From the other tab')
  await other.getByLabel('Phone').fill('+376 800 777')
  await save(other).click()
  await expect(other).toHaveURL('/my-businesses')

  await page.getByLabel('Tagline').fill('From this tab')
  await save(page).click()
  const told = page.getByRole('alert')
  await expect(told).toContainText('This business was changed in another window')
  await expect(told).toContainText('Tagline: From the other tab')
  await expect(page.getByLabel('Tagline')).toHaveValue('From this tab')
  // Fields that were not edited here show the stored value.
  await expect(page.getByLabel('Phone')).toHaveValue('+376 800 777')
  await checkAccessibility()
  expect((await stored(shop)).tagline).toBe('From the other tab')
  await save(page).click()
  await expect(page).toHaveURL('/my-businesses')
  expect(await stored(shop)).toMatchObject({ tagline: 'From this tab', phone: '+376 800 777' })

  await openTab(page, shop, 'hours')
  await openTab(other, shop, 'hours')
  await other.getByLabel('Monday opens at').selectOption('08:00')
  await expect(saved(other)).toBeVisible()
  await page.getByLabel('Friday closes at').selectOption('20:00')
  await expect(page.getByRole('alert')).toContainText('The hours were changed in another window')
  await checkAccessibility()
  await page.getByRole('button', { name: 'Use theirs' }).click()
  await expect(page.getByLabel('Monday opens at')).toHaveValue('08:00')
  await expect(page.getByLabel('Friday closes at')).toHaveValue('17:00')
  await other.close()
})

test('BIZ-01 RULE-23: every former address leads to a business that was renamed twice', once, async ({
  page,
  person,
}) => {
  const tag = crypto.randomUUID().slice(0, 8)
  const shop = await shopOf(person, `Cafè Sol ${tag}`)
  for (const name of [`Cafè Mar ${tag}`, `Cafè Lluna ${tag}`]) {
    await openTab(page, shop, 'details')
    await page.getByLabel('Business name').fill(name)
    await save(page).click()
    await expect(page.getByRole('article', { name })).toBeVisible()
  }
  const heading = page.getByRole('heading', { level: 1, name: `Cafè Lluna ${tag}` })
  for (const slug of [`cafe-lluna-${tag}`, `cafe-mar-${tag}`, `cafe-sol-${tag}`]) {
    await page.goto(`/business/${slug}`)
    await expect(heading).toBeVisible()
  }
  await page.goto(`/biz/cafe-sol-${tag}`)
  await expect(heading).toBeVisible()
})

test('ERR-71 ERR-40: each kind of failure has its own message, never the server’s', once, async ({
  page,
  person,
}) => {
  const shop = await shopOf(person)
  await openTab(page, shop, 'details')
  await page.getByLabel('Tagline').fill('Kept')
  const answer = (status: number, code: string) => ({ status, json: { code, message: 'raw words' } })
  for (const [words, failure] of [
    ['Please sign in again to continue.', answer(401, 'no_token')],
    ['You do not have permission to do this.', answer(403, '42501')],
    [
      'Some of the information was not accepted. Please check it and try again.',
      answer(400, '22001'),
    ],
    ['Something went wrong on our side. Please try again.', answer(500, 'XX000')],
    ['Plaza cannot be reached at the moment. Please try again.', null],
    ['Something went wrong. Please try again.', { status: 200, body: 'no JSON' }],
  ] as const) {
    await page.route(
      '**/rest/v1/businesses*',
      (route) => (failure === null ? route.abort() : route.fulfill(failure)),
      { times: 1 },
    )
    await save(page).click()
    await expect(page.getByRole('alert')).toContainText('Could not save business details')
    await expect(page.getByRole('alert')).toContainText(words)
    await expect(page.getByText('raw words')).toHaveCount(0)
  }
  await expect(page.getByLabel('Tagline')).toHaveValue('Kept')
  await save(page).click()
  await expect(page).toHaveURL('/my-businesses')
})
