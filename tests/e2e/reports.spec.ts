import { service } from './accounts'
import { expect, newPerson, once, type Person, test } from './fixtures'
import { type Shop, shopOf } from './owners'

async function reviewed(): Promise<Shop> {
  const business = await shopOf(await newPerson('Marc Puig'))
  const author = await newPerson('Pol Riera')
  const { error } = await service()
    .from('reviews')
    .insert({ business_id: business.id, user_id: author.id, rating: 2, comment: 'Not for me.' })
  if (error) throw error
  return business
}

const reportsOf = async ({ client }: Person) =>
  (await client.from('reports').select('type, reason, details, status').order('created_at')).data

test('ADMIN-REPORT-09: a business and a review are reported, each once', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const business = await reviewed()
  await page.goto(`/business/${business.id}`)
  await page.getByRole('button', { name: 'Report this business' }).click()
  const dialog = page.getByRole('dialog', { name: `Report ${business.name}` })
  await expect(dialog.getByLabel('Reason')).toBeFocused()
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await expect(dialog.getByText('Please choose a reason')).toBeVisible()
  await checkAccessibility()
  await dialog.getByLabel('Reason').selectOption('Spam or fraud')
  await dialog.getByLabel('Details (optional)').fill('It asks for money first.')
  await page.route('**/rest/v1/reports*', (route) => route.abort())
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Plaza cannot be reached')
  await page.unroute('**/rest/v1/reports*')
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await expect(page.getByText('Report sent')).toBeVisible()
  await expect(dialog).toBeHidden()

  await page.getByRole('button', { name: 'Report the review by Pol Riera' }).click()
  const second = page.getByRole('dialog', { name: 'Report the review by Pol Riera' })
  await second.getByLabel('Reason').selectOption('Offensive content')
  await second.getByRole('button', { name: 'Send report' }).click()
  await expect(second).toBeHidden()

  await page.getByRole('button', { name: 'Report this business' }).click()
  await dialog.getByLabel('Reason').selectOption('Other')
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await expect(dialog.getByRole('alert')).toContainText('You have reported this already')
  expect(await reportsOf(person)).toEqual([
    {
      type: 'business',
      reason: 'Spam or fraud',
      details: 'It asks for money first.',
      status: 'pending',
    },
    { type: 'review', reason: 'Offensive content', details: null, status: 'pending' },
  ])
})

test('a customer is reported from a conversation', async ({ page, person }) => {
  const business = await shopOf(person)
  const customer = await newPerson('Pol Riera')
  await customer.client.from('messages').insert({ business_id: business.id, content: 'Buy now!' })
  await page.goto('/messages')
  await page.getByRole('navigation', { name: 'Conversations' }).getByRole('link').click()
  await page.getByRole('button', { name: 'Conversation options' }).click()
  await page.getByRole('menuitem', { name: 'Report' }).click()
  const dialog = page.getByRole('dialog', { name: 'Report Pol Riera' })
  await dialog.getByLabel('Reason').selectOption('Spam or fraud')
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await expect(dialog).toBeHidden()
  expect(await reportsOf(person)).toMatchObject([{ type: 'user', reason: 'Spam or fraud' }])
})

test('a visitor signs in before a report', once, async ({ page }) => {
  const business = await reviewed()
  await page.goto(`/business/${business.id}`)
  await page.getByRole('button', { name: 'Report this business' }).click()
  await expect(page).toHaveURL('/auth')
  await expect(page.getByText('Please log in to report something')).toBeVisible()
  expect(await page.evaluate(() => sessionStorage.getItem('plaza.redirect'))).toBe(
    `/business/${business.id}`,
  )
})
