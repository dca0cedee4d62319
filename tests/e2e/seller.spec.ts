import { service } from './accounts'
import { setAdmin } from './admins'
import { expect, newPerson, once, test } from './fixtures'

test('ROUTE-27 SELLER-01 SELLER-02 SELLER-03 SELLER-04 SELLER-07 CONST-17: an application is written, reviewed, and makes a seller', async ({
  page,
  person,
  checkAccessibility,
}) => {
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Apply Now' }).click()
  await expect(page).toHaveURL('/become-seller')
  await page.getByRole('button', { name: 'Send Application' }).click()
  const name = page.getByLabel('Business name')
  await expect(name).toBeFocused()
  await expect(name).toHaveAccessibleDescription(/Please enter the name of your business/)
  await expect(page.getByText('Please enter the type of your business')).toBeVisible()
  await expect(page.getByText('Please enter where your business is')).toBeVisible()
  await checkAccessibility()

  await name.fill('Forn del Roc')
  await page.getByLabel('Type of business').fill('Bakery')
  await page.getByLabel('Location').fill('Encamp, Andorra')
  await page.getByLabel('Description (optional)').fill('Bread of long rests.')
  await page.getByRole('button', { name: 'Send Application' }).click()
  await expect(page.getByRole('heading', { name: 'Application In Review' })).toBeVisible()
  await expect(page.getByText('1-3 business days').first()).toBeVisible()
  await expect(page.getByRole('definition').first()).toHaveText('Forn del Roc')
  await checkAccessibility()
  const { data } = await person.client
    .from('seller_applications')
    .select('id, status, business_type, business_description')
    .eq('user_id', person.id)
    .maybeSingle()
  expect(data).toMatchObject({
    status: 'pending',
    business_type: 'Bakery',
    business_description: 'Bread of long rests.',
  })
  await page.getByRole('link', { name: 'Go to Dashboard' }).click()
  await expect(page.getByRole('region', { name: 'Selling on Plaza' })).toContainText(
    'Application In Review',
  )

  const admin = await newPerson('Ada Admin')
  await setAdmin(admin)
  const { error } = await admin.client
    .from('seller_applications')
    .update({ status: 'approved' })
    .eq('id', data?.id)
  expect(error).toBeNull()
  await page.reload()
  await expect(page.getByRole('tab', { name: 'My Businesses' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Selling on Plaza' })).toHaveCount(0)
  await page.goto('/become-seller')
  await expect(page.getByRole('heading', { name: 'Seller Account Active' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create Business' })).toHaveAttribute(
    'href',
    '/business/new',
  )
  await checkAccessibility()
})

test('SELLER-06 API-29: a rejected applicant is referred to support, and may apply again', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const { error } = await service().from('seller_applications').insert({
    user_id: person.id,
    business_name: 'First try',
    business_type: 'Bar',
    location: 'Madrid',
    status: 'rejected',
  })
  expect(error).toBeNull()
  await page.goto('/dashboard')
  const card = page.getByRole('region', { name: 'Selling on Plaza' })
  await expect(card).toContainText('Contact support to appeal.')
  await expect(card.getByRole('link', { name: 'Contact Support' })).toHaveAttribute(
    'href',
    '/contact',
  )
  await checkAccessibility()
  await page.goto('/become-seller')
  await expect(page.getByRole('link', { name: 'Contact Support' })).toBeVisible()
  await checkAccessibility()
  await page.getByRole('button', { name: 'Apply Again' }).click()
  await page.getByLabel('Business name').fill('Second try')
  await page.getByLabel('Type of business').fill('Bar')
  await page.getByLabel('Location').fill('Madrid')
  await page.getByRole('button', { name: 'Send Application' }).click()
  await expect(page.getByRole('heading', { name: 'Application In Review' })).toBeVisible()
  const status = await person.client
    .from('seller_applications')
    .select('status')
    .eq('user_id', person.id)
    .maybeSingle()
  expect(status.error).toBeNull()
  expect(status.data).toEqual({ status: 'pending' })
})

test('SELLER-05: an approved application shows as active before the role is known', once, async ({
  page,
  person,
}) => {
  const { error } = await service().from('seller_applications').insert({
    user_id: person.id,
    business_name: 'Approved',
    business_type: 'Bar',
    location: 'Madrid',
    status: 'approved',
  })
  expect(error).toBeNull()
  await page.goto('/dashboard')
  await expect(page.getByRole('region', { name: 'Selling on Plaza' })).toContainText(
    'Seller Account Active',
  )
})

test('S-47: an application that another tab has sent is not sent twice', once, async ({
  page,
  person,
}) => {
  await page.goto('/become-seller')
  await page.getByLabel('Business name').fill('Second tab')
  await page.getByLabel('Type of business').fill('Bar')
  await page.getByLabel('Location').fill('Madrid')
  const { error } = await person.client.from('seller_applications').insert({
    user_id: person.id,
    business_name: 'First tab',
    business_type: 'Bar',
    location: 'Madrid',
  })
  expect(error).toBeNull()
  await page.getByRole('button', { name: 'Send Application' }).click()
  await expect(page.getByRole('heading', { name: 'Application In Review' })).toBeVisible()
  await expect(page.getByRole('definition').first()).toHaveText('First tab')
})
