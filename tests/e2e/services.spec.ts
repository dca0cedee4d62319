import { service } from './accounts'
import { enter, expect, once, test } from './fixtures'
import { type Shop, shopOf } from './owners'

async function stored({ id }: Shop) {
  const { data, error } = await service()
    .from('services')
    .select('name, description, price, duration')
    .eq('business_id', id)
    .order('name')
  if (error) throw error
  return data
}

test('OWNER-19 OWNER-20 OWNER-21 RULE-16 RULE-17 RULE-18 ERR-26: services are added, edited in place and deleted', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const shop = await shopOf(person)
  await page.goto(`/business/edit/${shop.id}?tab=services`)
  await expect(page.getByText('No services yet')).toBeVisible()
  await checkAccessibility()
  const form = page.getByRole('form', { name: 'Add a service' })
  const add = form.getByRole('button', { name: 'Add service' })
  await expect(add).toBeDisabled()
  await form.getByLabel('Service name').fill('C')
  await form.getByLabel('Price').fill('cheap')
  await expect(add).toBeDisabled()
  await form.getByLabel('Duration').fill('1.5')
  await add.click()
  await expect(form.getByLabel('Service name')).toHaveAccessibleDescription(
    'Service name is required',
  )
  await expect(form.getByLabel('Price')).toHaveAccessibleDescription('Price must be a number')
  await expect(form.getByLabel('Duration')).toHaveAccessibleDescription('Duration must be a number')
  await expect(page.getByLabel('Message')).toContainText(
    'Validation ErrorService name is required, Price must be a number, Duration must be a number',
  )
  await checkAccessibility()
  await form.getByLabel('Service name').fill('Cut')
  await form.getByLabel('Price').fill('-1')
  await form.getByLabel('Duration').fill('0')
  await expect(form.getByLabel('Price')).toHaveAccessibleDescription(/between 0 and 10000/)
  await expect(form.getByLabel('Duration')).toHaveAccessibleDescription(/between 1 and 480/)
  await form.getByLabel('Price').fill('12,50')
  await form.getByLabel('Duration').fill('45')
  // Input survives a visit to another tab, and leaving the page asks for confirmation.
  await page.getByRole('tab', { name: 'Hours' }).click()
  await expect(page.getByRole('tab', { name: 'Services' })).toContainText('Unsaved')
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').first().click()
  await page
    .getByRole('dialog', { name: 'Leave without saving?' })
    .getByRole('button', { name: 'Stay here' })
    .click()
  await page.getByRole('tab', { name: 'Services' }).click()
  await expect(form.getByLabel('Price')).toHaveValue('12,50')
  await form.getByLabel('Duration').press('Enter')
  await expect(page.getByRole('heading', { level: 3, name: 'Cut' })).toBeVisible()
  // Ready for the next one.
  await expect(form.getByLabel('Service name')).toBeFocused()
  await expect(form.getByLabel('Service name')).toHaveValue('')
  expect(await stored(shop)).toEqual([
    { name: 'Cut', description: null, price: 12.5, duration: 45 },
  ])

  await page.getByRole('button', { name: 'Edit Cut' }).click()
  const edit = page.getByRole('form', { name: 'Edit Cut' })
  await expect(edit.getByLabel('Service name')).toBeFocused()
  await edit.getByLabel('Service name').fill('Cut and wash')
  await edit.getByLabel('Description').fill('With a head massage')
  await checkAccessibility()
  await edit.getByRole('button', { name: 'Save service' }).click()
  await expect(page.getByRole('button', { name: 'Edit Cut and wash' })).toBeFocused()
  expect((await stored(shop))[0]).toMatchObject({
    name: 'Cut and wash',
    description: 'With a head massage',
    price: 12.5,
  })

  await page.getByRole('button', { name: 'Delete Cut and wash' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete this service?' })
  await expect(dialog).toContainText('Bookings that were already made stay')
  await checkAccessibility()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await stored(shop)).toHaveLength(1)
  await page.getByRole('button', { name: 'Delete Cut and wash' }).click()
  await dialog.getByRole('button', { name: 'Delete service' }).click()
  await expect(page.getByText('No services yet')).toBeVisible()
  expect(await stored(shop)).toEqual([])
})

test('OWNER-19: five hundred services are listed, and one more is refused with a reason', async ({
  page,
  person,
}) => {
  const shop = await shopOf(person)
  const rows = Array.from({ length: 500 }, (_, index) => ({
    business_id: shop.id,
    name: `Service ${String(index).padStart(3, '0')}`,
    price: index,
    duration: 30,
  }))
  const { error } = await service().from('services').insert(rows)
  if (error) throw error
  await page.goto(`/business/edit/${shop.id}?tab=services`)
  await expect(page.getByText('500 services')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit Service 499' })).toBeAttached()
  const form = page.getByRole('form', { name: 'Add a service' })
  await form.getByLabel('Service name').fill('One too many')
  await form.getByLabel('Price').fill('1')
  await form.getByLabel('Duration').fill('30')
  await form.getByRole('button', { name: 'Add service' }).click()
  await expect(form.getByRole('alert')).toContainText('Could not add service')
  await expect(form.getByRole('alert')).toContainText('A business can have 100 services')
  await expect(form.getByLabel('Service name')).toHaveValue('One too many')
})

test('ERR-26: if a service was changed by another tab or the server is unreachable, the input is kept', once, async ({
  page,
  person,
  context,
}) => {
  const shop = await shopOf(person)
  const { error } = await service()
    .from('services')
    .insert({ business_id: shop.id, name: 'Cut', price: 20, duration: 60 })
  if (error) throw error
  const other = await context.newPage()
  await enter(other, person)
  for (const tab of [page, other]) {
    await tab.goto(`/business/edit/${shop.id}?tab=services`)
    await tab.getByRole('button', { name: 'Edit Cut' }).click()
  }
  await other.getByRole('form', { name: 'Edit Cut' }).getByLabel('Price').fill('25')
  await other.getByRole('button', { name: 'Save service' }).click()
  await expect(other.getByText('$25.00')).toBeVisible()

  const edit = page.getByRole('form', { name: 'Edit Cut' })
  await edit.getByLabel('Price').fill('30')
  await edit.getByRole('button', { name: 'Save service' }).click()
  await expect(edit.getByRole('alert')).toContainText('This service was changed in another window')
  await expect(edit.getByRole('alert')).toContainText('Cut, $25.00')
  await expect(edit.getByLabel('Price')).toHaveValue('30')
  await context.setOffline(true)
  await edit.getByRole('button', { name: 'Save service' }).click()
  await expect(edit.getByRole('alert')).toContainText('You are offline')
  await expect(edit.getByLabel('Price')).toHaveValue('30')
  await context.setOffline(false)
  await edit.getByRole('button', { name: 'Save service' }).click()
  await expect(page.getByText('$30.00')).toBeVisible()
  await other.close()
})
