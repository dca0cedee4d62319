import type { Page } from '@playwright/test'
import { claimCode, service, smsCode, tabTo } from './accounts'
import { enter, expect, newPerson, once, type Person, test } from './fixtures'

/** A business without an owner, with a service and a telephone number. */
async function unclaimed(
  published: { phone?: string; website?: string } = {},
): Promise<{ id: string; name: string }> {
  const name = `Sense amo ${crypto.randomUUID()}`
  const { data, error } = await service()
    .from('businesses')
    .insert({
      name,
      type: 'Hair Salons',
      location: 'Andorra la Vella, Andorra',
      phone: '+376 800 111',
      ...published,
    })
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
  const other = await page.context().newPage()
  await enter(other, person)
  await other.goto(`/business/${business.id}`)
  await other.getByRole('button', { name: 'Claim this business' }).click()
  await send(page)
  await expect(page.getByLabel('Message')).toContainText('Claim sent')
  await expect(panel).toContainText('You have claimed this business')
  await expect(panel.getByRole('button', { name: 'Claim this business' })).toHaveCount(0)
  const { data } = await person.client
    .from('claim_requests')
    .select('status, role_at_company')
    .eq('business_id', business.id)
  expect(data).toEqual([{ status: 'pending', role_at_company: 'Owner' }])

  await send(other)
  await expect(other.getByRole('dialog').getByRole('alert')).toContainText(
    'You have claimed this business already',
  )
})

/** Fills in the open claim form, and submits it. */
async function send(page: Page, method?: string, email = 'ona@example.com'): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Claim this business' })
  await dialog.getByLabel('Your name').fill('Ona Vidal')
  await dialog.getByLabel('Your role').fill('Owner')
  await dialog.getByLabel('Business email').fill(email)
  if (method) await dialog.getByLabel('How may we check it?').selectOption({ label: method })
  await dialog.getByRole('button', { name: 'Send claim' }).click()
}

const pdf = (name: string) => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from('%PDF-1.4\n%%EOF\n'),
})

test('ADMIN-CLAIM-11 S-48: a claim is proved by documents, which the claimant adds and removes until it is decided', once, async ({
  page,
  person,
  checkAccessibility,
}) => {
  const business = await unclaimed()
  await page.goto(`/business/${business.id}`)
  const panel = page.getByRole('region', { name: 'No bookings here yet' })
  await panel.getByRole('button', { name: 'Claim this business' }).click()
  await send(page, 'By a document that shows it')
  await expect(panel.getByText('None yet.')).toBeVisible()
  const input = panel.locator('input[type=file]')
  await input.setInputFiles(pdf('Llicència d’obertura.pdf'))
  await expect(panel.getByText('Llicencia-d-obertura.pdf', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Message')).toContainText('Document added')
  await checkAccessibility()

  await input.setInputFiles({ name: 'page.html', mimeType: 'text/html', buffer: Buffer.from('x') })
  await expect(panel.getByRole('alert')).toContainText('Choose a PDF, JPEG, PNG or WebP file.')
  await input.setInputFiles(pdf('small.pdf'))
  await expect(panel.getByRole('button', { name: 'Remove small.pdf' })).toBeVisible()
  await expect(panel.getByRole('alert')).toHaveCount(0)
  await input.setInputFiles({ ...pdf('not-one.pdf'), buffer: Buffer.from('<p>') })
  await expect(panel.getByRole('alert')).toContainText('Choose a PDF, JPEG, PNG or WebP file.')
  await input.setInputFiles({ ...pdf('big.pdf'), buffer: Buffer.alloc(10 * 1024 * 1024 + 1) })
  await expect(panel.getByRole('alert')).toContainText('Choose a file of up to 10 MB.')
  for (const name of ['3.pdf', '4.pdf', '5.pdf']) {
    await input.setInputFiles(pdf(name))
    await expect(panel.getByRole('button', { name: `Remove ${name}` })).toBeVisible()
  }
  await input.setInputFiles(pdf('6.pdf'))
  await expect(panel.getByRole('alert')).toContainText('There are five already.')
  await panel.getByRole('button', { name: 'Remove 5.pdf' }).click()
  await expect(panel.getByRole('listitem')).toHaveCount(4)

  const { data: claims } = await person.client.from('claim_requests').select('id')
  const folder = `${person.id}/${claims?.[0]?.id}`
  const filesSeenBy = async ({ client }: Pick<Person, 'client'>) =>
    (await client.storage.from('claim-documents').list(folder)).data?.length
  expect(await filesSeenBy(person)).toBe(4)
  expect(await filesSeenBy(await newPerson('Arnau Puig'))).toBe(0)

  const { error } = await service()
    .from('claim_requests')
    .update({ status: 'rejected', admin_notes: 'The licence has expired' })
    .eq('business_id', business.id)
  expect(error).toBeNull()
  await panel.getByRole('button', { name: 'Remove 4.pdf' }).click()
  await expect(panel.getByRole('alert')).toContainText('The claim was decided meanwhile.')
  await input.setInputFiles(pdf('late.pdf'))
  await expect(panel.getByRole('alert')).toContainText('The document was not added')
  await expect(panel.getByRole('alert')).toContainText('The claim was decided meanwhile.')
  await page.reload()
  await expect(panel).toContainText('Your claim was not accepted')
  await expect(panel).toContainText('The licence has expired')
  await expect(panel.getByRole('button', { name: 'Claim this business' })).toBeVisible()
})

const wrong = (code: string) => (code === '000000' ? '111111' : '000000')

test('ADMIN-CLAIM-11 S-45 S-47: a claim is proved by a code mailed to the business, and still waits for an admin', once, async ({
  page,
  person,
  context,
  checkAccessibility,
}) => {
  const host = `shop-${crypto.randomUUID()}.example`
  const business = await unclaimed({ website: `https://www.${host}/contact` })
  await page.goto(`/business/${business.id}`)
  const panel = page.getByRole('region', { name: 'No bookings here yet' })
  await panel.getByRole('button', { name: 'Claim this business' }).click()
  const dialog = page.getByRole('dialog', { name: 'Claim this business' })
  await send(page)
  await expect(dialog.getByText(`Enter an address at ${host}`)).toBeVisible()
  await checkAccessibility()
  await dialog.getByLabel('Business email').fill(`ona@${host}`)
  await dialog.getByRole('button', { name: 'Send claim' }).click()

  const button = panel.getByRole('button', { name: `Send the code to …@${host}` })
  await tabTo(page, button)
  await checkAccessibility()
  await page.keyboard.press('Enter')
  const field = panel.getByLabel('Code', { exact: true })
  await expect(field).toBeFocused()
  await expect(panel.getByRole('button', { name: /Send another code in \d+ s/ })).toBeDisabled()
  const code = await claimCode(`ona@${host}`)
  await page.keyboard.type(wrong(code))
  await expect(panel.getByText('That is not the code.')).toBeVisible()
  await expect(panel.getByText('4 tries left.')).toBeVisible()
  await checkAccessibility()

  await context.setOffline(true)
  await field.fill(code)
  await expect(panel.getByText('You are offline.')).toBeVisible()
  await expect(field).toHaveValue(code)
  await context.setOffline(false)
  await panel.getByRole('button', { name: 'Check the code' }).click()
  await expect(page.getByLabel('Message')).toContainText('Proved by the code')
  await expect(panel).toContainText('We still look at your claim.')
  await expect(field).toHaveCount(0)
  await checkAccessibility()
  const { data } = await person.client
    .from('claim_requests')
    .select('status, verified_by, business:businesses(owner_id)')
    .eq('business_id', business.id)
    .single()
  expect(data).toEqual({
    status: 'pending',
    verified_by: 'email_domain',
    business: { owner_id: null },
  })
  await page.reload()
  await expect(panel).toContainText('Proved by the code')
})

test('ADMIN-CLAIM-11: a code by text message expires, ends after five tries and is sent again', once, async ({
  page,
  person,
  checkAccessibility,
}) => {
  await page.clock.install()
  const number = `376${String(crypto.getRandomValues(new Uint32Array(1))[0]).padStart(10, '0')}`
  const business = await unclaimed({ phone: `+${number}` })
  await page.goto(`/business/${business.id}`)
  const panel = page.getByRole('region', { name: 'No bookings here yet' })
  await panel.getByRole('button', { name: 'Claim this business' }).click()
  await expect(page.getByText('no website of the business is published here')).toBeVisible()
  await send(page)
  await panel.getByRole('button', { name: `Send the code to + …${number.slice(-2)}` }).click()
  const field = panel.getByLabel('Code', { exact: true })
  const first = wrong(await smsCode(number))
  for (const left of ['4 tries', '3 tries', '2 tries', '1 try']) {
    await field.fill('')
    await field.fill(first)
    await expect(panel.getByText(`${left} left.`)).toBeVisible()
  }
  await field.fill('')
  await field.fill(first)
  await expect(panel.getByRole('status').filter({ hasText: 'Too many tries' })).toBeVisible()
  await expect(field).toHaveCount(0)
  await checkAccessibility()

  await page.clock.fastForward(61_000)
  const again = panel.getByRole('button', { name: 'Send another code', exact: true })
  await again.click()
  await expect(field).toBeFocused()
  await page.clock.fastForward(16 * 60_000)
  await expect(panel.getByRole('status').filter({ hasText: 'has expired' })).toBeVisible()
  await checkAccessibility()
  await again.click()
  await expect(field).toBeFocused()
  await field.fill(await smsCode(number))
  await expect(panel).toContainText('Proved by the code')
  const { data } = await person.client.from('claim_requests').select('verified_by').single()
  expect(data).toEqual({ verified_by: 'phone_verification' })
})

test('ADMIN-CLAIM-11: where no code can be sent, the page says why and takes documents', once, async ({
  page,
  person,
  checkAccessibility,
}) => {
  const business = await unclaimed()
  const { error } = await person.client.from('claim_requests').insert({
    user_id: person.id,
    business_id: business.id,
    full_name: 'Ona Vidal',
    business_email: 'ona@example.com',
    role_at_company: 'Owner',
    verification_method: 'email_domain',
  })
  expect(error).toBeNull()
  await page.goto(`/business/${business.id}`)
  const panel = page.getByRole('region', { name: 'No bookings here yet' })
  await expect(panel).toContainText('No website of this business is published here')
  await expect(panel.getByRole('button', { name: /code/ })).toHaveCount(0)
  await panel.locator('input[type=file]').setInputFiles(pdf('Licence.pdf'))
  await expect(panel.getByText('Licence.pdf', { exact: true })).toBeVisible()
  await checkAccessibility()
})
