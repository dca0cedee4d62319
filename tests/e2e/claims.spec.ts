import { service } from './accounts'
import { enter, expect, newPerson, test } from './fixtures'

/** A business that nobody has claimed, with a service and a telephone number. */
async function unclaimed(): Promise<{ id: string; name: string }> {
  const name = `Sense amo ${crypto.randomUUID()}`
  const { data, error } = await service()
    .from('businesses')
    .insert({ name, type: 'Hair Salons', location: 'Andorra la Vella, Andorra', phone: '+376 800 111' })
    .select('id')
    .single()
  if (error) throw error
  const { error: refused } = await service()
    .from('services')
    .insert({ business_id: data.id, name: 'Haircut', price: 20, duration: 60 })
  if (refused) throw refused
  return { id: data.id, name }
}

test('BOOK-15: a business without an owner says how to reach it, and is claimed', async ({
  page,
  checkAccessibility,
}) => {
  const business = await unclaimed()
  const person = await newPerson()
  await page.goto(`/business/${business.id}`)
  const panel = page.getByRole('region', { name: 'No bookings here yet' })
  await expect(panel.getByRole('link', { name: 'Call +376 800 111' })).toHaveAttribute(
    'href',
    'tel:+376800111',
  )
  await expect(page.getByRole('button', { name: /^Book/ })).toHaveCount(0)
  await checkAccessibility()
  await panel.getByRole('button', { name: 'Claim this business' }).click()
  await expect(page).toHaveURL('/auth')

  await enter(page, person)
  await page.goto(`/business/${business.id}`)
  const dialog = page.getByRole('dialog', { name: 'Claim this business' })
  await panel.getByRole('button', { name: 'Claim this business' }).click()
  await dialog.getByRole('button', { name: 'Send claim' }).click()
  await expect(dialog.getByText('Enter your name')).toBeVisible()
  await checkAccessibility()
  await dialog.getByLabel('Your name').fill('Ona Vidal')
  await dialog.getByLabel('Your role').fill('Owner')
  await dialog.getByLabel('Business email').fill('ona@example.com')
  await dialog.getByRole('button', { name: 'Send claim' }).click()
  await expect(page.getByLabel('Message')).toContainText('Claim sent')
  const { data } = await person.client
    .from('claim_requests')
    .select('status, role_at_company')
    .eq('business_id', business.id)
  expect(data).toEqual([{ status: 'pending', role_at_company: 'Owner' }])

  await panel.getByRole('button', { name: 'Claim this business' }).click()
  await dialog.getByLabel('Your name').fill('Ona Vidal')
  await dialog.getByLabel('Your role').fill('Owner')
  await dialog.getByLabel('Business email').fill('ona@example.com')
  await dialog.getByRole('button', { name: 'Send claim' }).click()
  await expect(dialog.getByRole('alert')).toContainText('You have claimed this business already')
})
