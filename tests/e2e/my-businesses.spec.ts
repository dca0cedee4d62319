import { service } from './accounts'
import { enter, expect, newPerson, once, runUntilVisible, stopClock, test } from './fixtures'
import { makeSeller, shopOf } from './owners'
import { cards, uploadOne } from './photo-page'
import { picture } from './pictures'

async function servicesOf({ id }: { id: string }): Promise<string[]> {
  const { data, error } = await service().from('services').select('name').eq('business_id', id)
  if (error) throw error
  return data.map(({ name }) => name)
}

test('OWNER-03 OWNER-04 PERM-07 ERR-28 ERR-31 ROUTE-30: both addresses edit, another’s business does not open', once, async ({
  page,
  person,
  checkAccessibility,
}) => {
  const shop = await shopOf(person)
  await page.goto(`/business/${shop.id}/edit`)
  await expect(page.getByRole('heading', { level: 1, name: 'Edit Business' })).toBeVisible()
  // OWNER-04, C-41.
  await expect(page.getByRole('tab')).toHaveText([
    'Details',
    'Services',
    'Photos',
    'Hours',
    'Amenities',
  ])

  const rival = await newPerson('Biel Font')
  const other = await shopOf(rival, 'Barberia Font')
  await page.goto(`/business/edit/${other.id}`)
  await expect(page.getByRole('alert')).toHaveText(
    /Access DeniedYou do not have permission to perform this action/,
  )
  await checkAccessibility()
  await page.goto('/business/edit/00000000-0000-4000-8000-000000000000')
  await expect(page.getByText('Business not found')).toBeVisible()
  await page.goto('/business/edit/no-such-business')
  await expect(page.getByText('Business not found')).toBeVisible()
  // The server decides, whatever a client shows.
  const { error } = await person.client.storage
    .from('business-photos')
    .upload(`${person.id}/${other.id}/1.png`, picture().buffer, { contentType: 'image/png' })
  expect(error?.message).toContain('row-level security')
})

test('OWNER-11 ERR-29 ERR-30 CONST-17: a failed load is said, and leads back', once, async ({ page, person }) => {
  const shop = await shopOf(person)
  await page.route('**/rest/v1/businesses*', (route) =>
    route.request().url().includes(`id=eq.${shop.id}`)
      ? route.fulfill({ status: 400, json: { code: '22000', message: 'no' } })
      : route.continue(),
  )
  await stopClock(page)
  await page.goto('/my-businesses') // so that going back loads nothing
  const edit = page.getByRole('link', { name: /^Edit/ })
  await runUntilVisible(page, edit)
  await edit.click()
  const failed = page.getByText('Failed to load business data')
  await runUntilVisible(page, failed)
  await expect(page.getByText('Failed to verify business ownership')).toBeVisible()
  await page.clock.runFor(2_900)
  await expect(page.getByRole('progressbar')).toHaveCount(0)
  await expect(page).toHaveURL(`/business/edit/${shop.id}`)
  await expect(failed).toBeVisible()
  await page.clock.runFor(100)
  await expect(page).toHaveURL('/my-businesses')
})

test('OWNER-10 PERM-08: an admin edits as such, without a limit, also where the business cannot be read', once, async ({ page, person }) => {
  const owner = await newPerson('Laia Serra')
  const shop = await shopOf(owner)
  await service().from('profiles').update({ role: 'admin' }).eq('id', person.id)
  await page.goto(`/business/edit/${shop.id}`)
  await expect(
    page.getByText('Admin Mode: You are editing this business as an administrator'),
  ).toBeVisible()
  await expect(page.getByText('Owner: Laia Serra')).toBeVisible()
  // C-43.
  await expect(page.getByText('Contact admin for details')).toBeVisible()
  await page.getByRole('tab', { name: 'Photos' }).click()
  await expect(page.getByText('0 photos')).toBeVisible()
  await uploadOne(page)
  await expect(cards(page)).toHaveCount(1)

  await page.route('**/rest/v1/businesses*', (route) =>
    route.request().url().includes('owner%3A') || route.request().url().includes('owner:')
      ? route.fulfill({ status: 400, json: { code: '22000', message: 'no' } })
      : route.continue(),
  )
  await page.reload()
  await expect(page.getByRole('status').filter({ hasText: 'Failed to load' })).toBeVisible()
  await expect(page.getByText(/^Admin Mode/)).toBeVisible()
  await expect(cards(page)).toHaveCount(1)
  await page.getByLabel('Service name').fill('Trim')
  await page.getByLabel('Price').fill('12')
  await page.getByLabel('Duration').fill('30')
  await page.getByRole('button', { name: 'Add service' }).click()
  await expect.poll(() => servicesOf(shop)).toEqual(['Trim'])
})

test('ROUTE-23 OWNER-01 OWNER-02 SUB-07 PERM-12 ERR-39: one’s own businesses, and the limit of them', async ({
  page,
  checkAccessibility,
}) => {
  await page.goto('/my-businesses')
  await expect(page).toHaveURL('/auth')
  const person = await newPerson()
  await enter(page, person)
  await page.goto('/my-businesses')
  await expect(page.getByText('No businesses yet')).toBeVisible()
  await checkAccessibility()

  await makeSeller(person)
  await page.reload()
  await expect(page.getByText('0 of 1 business used')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Add Business' })).toHaveAttribute(
    'href',
    '/business/new',
  )
  await checkAccessibility()
  const shop = await shopOf(person, 'Perruqueria i Estètica Mare de Déu de Meritxell i Sant Julià')
  await page.reload()
  const own = page.getByRole('article', { name: shop.name })
  await expect(own).toContainText('Hair Salons · Andorra la Vella, Andorra')
  await expect(page.getByText('1 of 1 business used')).toBeVisible()
  await page.getByRole('button', { name: 'Add Business' }).click()
  await expect(page.getByText('Your plan allows 1 business')).toBeVisible()
  await checkAccessibility()
  await expect(page.getByRole('link', { name: 'See plans' })).toHaveAttribute('href', '/plans')
  await expect(own.getByRole('link', { name: /^View/ })).toHaveAttribute(
    'href',
    `/business/${shop.id}`,
  )
  await own.getByRole('link', { name: /^Edit/ }).click()
  await expect(page).toHaveURL(`/business/edit/${shop.id}`)

  // Another owner's business is not listed, and only owners see the link.
  await shopOf(await newPerson('Biel Font'), 'Barberia Font')
  await page.goto('/my-businesses')
  await expect(page.getByRole('article')).toHaveCount(1)
  if (test.info().project.name === 'desktop') {
    await expect(page.getByRole('banner').getByRole('link', { name: 'My Businesses' })).toBeVisible()
  }
  await page.route('**/rest/v1/businesses*', (route) =>
    route.fulfill({ status: 400, json: { code: '22000', message: 'no' } }),
  )
  await page.reload()
  await expect(page.getByRole('alert')).toContainText('Could not fetch your businesses')
  await expect(page.getByRole('article')).toHaveCount(0)
})
