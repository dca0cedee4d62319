import { service } from './accounts'
import { expect, once, runUntilVisible, stopClock, test } from './fixtures'
import { makeSeller, shopOf } from './owners'

/** The stored columns of a business, by its owner. */
async function storedOf(ownerId: string) {
  const { data, error } = await service()
    .from('businesses')
    .select('*')
    .eq('owner_id', ownerId)
    .single()
  if (error) throw error
  return data
}

test('ROUTE-29 OWNER-03 OWNER-05 OWNER-08 OWNER-09 C-40: an owner adds a business with hours and amenities', async ({
  page,
  person,
  checkAccessibility,
}) => {
  await makeSeller(person)
  await page.goto('/my-businesses')
  await page.getByRole('link', { name: 'Add Business' }).click()
  await expect(page).toHaveURL('/business/new')
  await expect(page.getByRole('heading', { level: 1, name: 'Add Business' })).toBeVisible()
  await expect(page.getByLabel('Business name')).toBeVisible()
  await checkAccessibility()

  const name = `Perruqueria Núria & Fills ${crypto.randomUUID().slice(0, 8)}`
  await page.getByLabel('Business name').fill(`  ${name} `)
  await page.getByRole('combobox', { name: 'Type' }).selectOption('Hair Salons')
  await page.getByLabel('Tagline').fill('Cut and colour since 1984')
  await page.getByLabel('Description').fill('A small team that takes its time.')
  await page.getByRole('combobox', { name: 'Town' }).selectOption('Andorra la Vella, Andorra')
  await page.getByLabel('Neighbourhood').fill('Santa Coloma')
  await page.getByLabel('Street address').fill('Av. d’Enclar 12, AD500')
  // The pin is at the town's centre and follows the town until it is set by hand.
  await expect(page.getByLabel('Latitude')).toHaveValue('')
  await page.getByRole('button', { name: 'Use the centre of Andorra la Vella' }).click()
  await expect(page.getByLabel('Latitude')).toHaveValue('42.5063')
  await page.getByRole('combobox', { name: 'Town' }).selectOption('Ordino, Andorra')
  await expect(page.getByLabel('Longitude')).toHaveValue('1.5332')
  await expect(page.getByText('The pin stands in the centre of Ordino.')).toBeVisible()
  await page.getByLabel('Latitude').fill('42.5572')
  await expect(page.getByText('The pin stands 110 m from the centre of Ordino.')).toBeVisible()
  await page.getByRole('combobox', { name: 'Town' }).selectOption('Andorra la Vella, Andorra')
  await expect(page.getByLabel('Latitude')).toHaveValue('42.5572')
  await page.getByRole('button', { name: 'Use the centre of Andorra la Vella' }).click()
  await page.getByLabel('Phone').fill('+376 800 123')
  await page.getByLabel('Website').fill('https://nuria.example')
  await page.getByLabel('Languages spoken').fill('Catalan, Spanish,, English')
  // OWNER-17: the default week.
  await expect(page.getByLabel('Friday opens at')).toHaveValue('09:00')
  await expect(page.getByLabel('Friday closes at')).toHaveValue('17:00')
  await expect(page.getByLabel('Saturday open', { exact: true })).not.toBeChecked()
  await page.getByLabel('Monday open', { exact: true }).uncheck()
  await page.getByLabel('Parking', { exact: true }).check()
  await page.getByLabel('Your own').fill('Piano')
  await page.getByLabel('Your own').press('Enter')
  await expect(page.getByRole('button', { name: 'Remove Piano' })).toBeVisible()
  await checkAccessibility()
  await page.getByRole('button', { name: 'Create business' }).click()

  await expect(page.getByText('Business Created')).toBeVisible()
  await expect(page).toHaveURL('/my-businesses')
  await expect(page.getByRole('article', { name })).toContainText('Hair Salons')
  const stored = await storedOf(person.id)
  expect(stored).toMatchObject({
    name,
    type: 'Hair Salons',
    location: 'Santa Coloma, Andorra la Vella, Andorra',
    city_slug: 'andorra-la-vella',
    category_code: 'hair',
    latitude: 42.5063,
    longitude: 1.5218,
    phone: '+376 800 123',
    image_url: null,
    languages: ['Catalan', 'Spanish', 'English'],
    is_claimed: true,
  })
  expect(stored.hours.structured.monday.isOpen).toBe(false)
  expect(stored.hours.structured.friday).toEqual({ open: '09:00', close: '17:00', isOpen: true })
  // OWNER-15.
  expect(stored.amenities).toEqual([
    { name: 'Parking', icon: 'parking', category: 'accessibility', available: true },
    { name: 'Piano', icon: 'check', category: 'custom', available: true },
  ])
  await page.getByRole('button', { name: 'Add services' }).click()
  await expect(page).toHaveURL(`/business/edit/${stored.id}?tab=services`)
})

test('RULE-09 RULE-10 RULE-11 RULE-12 RULE-13 RULE-14 RULE-15: mistakes are told beside their fields', async ({
  page,
  person,
  checkAccessibility,
}) => {
  await makeSeller(person)
  await page.goto('/business/new')
  await page.getByLabel('Business name').fill('A')
  await page.getByLabel('Phone').fill('++376')
  await page.getByLabel('Website').fill('http://localhost/')
  await page.getByLabel('Cover image address').fill('not a picture')
  await page.getByLabel('Street address').fill('x')
  await page.getByLabel('Latitude').fill('91')
  await page.getByRole('button', { name: 'Create business' }).click()
  const told: [string, string][] = [
    ['Business name', 'Business name must be at least 2 characters'],
    ['Type', 'Business type is required'],
    ['Town', 'Location is required'],
    ['Phone', 'Please enter a phone number of 7 to 15 digits'],
    ['Website', 'Please enter a public address that begins with https:// or http://'],
    ['Cover image address', 'Please enter a valid image URL'],
    ['Street address', 'Address must have 5 to 200 characters'],
    ['Latitude', 'Latitude must be a number from -90 to 90'],
    ['Longitude', 'Enter both latitude and longitude, or leave both empty'],
  ]
  for (const [field, text] of told) {
    await expect(page.getByLabel(field, { exact: true })).toHaveAccessibleDescription(
      new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')),
    )
  }
  await expect(page.getByLabel('Business name')).toBeFocused()
  await checkAccessibility()
  // C-46: accents, apostrophes and & are part of names.
  await page.getByLabel('Business name').fill("L'Hort d'en Jaume & Cia.")
  await expect(page.getByText('Business name must be at least 2 characters')).toHaveCount(0)
})

test('SUB-08 PERM-05 PERM-06 CONST-17: a full plan and a customer find no form, and are told why', once, async ({
  page,
  person,
  checkAccessibility,
}) => {
  await stopClock(page)
  const denied = page.getByRole('alert')
  for (const [path, words] of [
    ['/business/new', 'Access DeniedYou need owner privileges to create businesses'],
    [
      '/business/00000000-0000-4000-8000-000000000000/bookings',
      'Access DeniedYou need owner privileges to access this page',
    ],
  ] as const) {
    await page.goto(path)
    await runUntilVisible(page, denied)
    await expect(denied).toHaveText(words)
    await page.clock.runFor(1_900)
    await expect(page).toHaveURL(path)
    await page.clock.runFor(100)
    await expect(page).toHaveURL('/dashboard')
  }
  await page.clock.resume()
  await shopOf(person)
  await page.goto('/business/new')
  await expect(page.getByText('Your plan allows 1 business')).toBeVisible()
  await expect(page.getByRole('link', { name: 'See plans' })).toHaveAttribute('href', '/plans')
  await checkAccessibility()
})

test('S-37: if the limit was reached meanwhile, the input is kept', once, async ({ page, person }) => {
  await makeSeller(person)
  await page.goto('/business/new')
  await page.getByLabel('Business name').fill('Second Shop')
  await page.getByRole('combobox', { name: 'Type' }).selectOption('Hair Salons')
  await page.getByRole('combobox', { name: 'Town' }).selectOption('Madrid')
  await shopOf(person)
  await page.getByRole('button', { name: 'Create business' }).click()
  await expect(page.getByText('Your plan has no room for another business')).toBeVisible()
  await expect(page.getByLabel('Business name')).toHaveValue('Second Shop')
  await expect(page.getByRole('link', { name: 'See plans' })).toBeVisible()
})

test('OWNER-09: an admin is led back to the admin panel, and an unsaved form asks first', async ({
  page,
  person,
}) => {
  await service().from('profiles').update({ role: 'admin' }).eq('id', person.id)
  await page.goto('/business/new')
  await page.getByLabel('Business name').fill('Half a name')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible()
  await page.getByRole('button', { name: 'Stay here' }).click()
  await expect(page.getByLabel('Business name')).toHaveValue('Half a name')
  // Closing the tab shows the browser's own dialog.
  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await expect(page).toHaveURL(/\/admin/)
})
