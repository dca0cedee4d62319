import type { Page } from '@playwright/test'
import { service, tabTo } from './accounts'
import { expectNoOverflow, find, type Listing, newListings, newWord, rowsOf, setAdmin } from './admins'
import { enter, expect, newPerson, once, type Person, test } from './fixtures'
import { toast } from './photo-page'

// What admins decide: claims, seller applications, reports.

const dialog = (page: Page) => page.getByRole('dialog')
const row = (page: Page, name: string) => rowsOf(page).filter({ hasText: name })
// The last of several: a dialog also has a cross called Close.
const press = (page: Page, name: string | RegExp) => dialog(page).getByRole('button', { name }).last().click()

/** Inserts rows with the service key, and returns their ids in order. */
async function insert(table: string, rows: object[]): Promise<string[]> {
  const { data, error } = await service().from(table).insert(rows).select('id')
  if (error) throw error
  return data.map(({ id }) => id)
}

/** Claims of new businesses, one by each person. */
async function newClaims(word: string, people: readonly Person[]): Promise<{ shops: Listing[]; ids: string[] }> {
  const shops = await newListings(word, people.length)
  const ids = await insert(
    'claim_requests',
    people.map(({ id }, index) => ({
      user_id: id,
      business_id: shops[index]?.id,
      full_name: `Claimant ${index + 1}`,
      business_email: `${word}${index + 1}@example.com`,
      role_at_company: 'Manager',
      verification_method: 'document_upload',
      // The list is newest first.
      submitted_at: new Date(Date.now() - index * 60_000).toISOString(),
    })),
  )
  return { shops, ids }
}

async function newApplications(word: string, people: readonly Person[]): Promise<string[]> {
  return insert(
    'seller_applications',
    people.map(({ id }, index) => ({
      user_id: id,
      business_name: `${word} ${index + 1}`,
      business_type: 'Bakery',
      location: 'Encamp',
      business_description: 'Bread and cakes',
    })),
  )
}

const statuses = async (table: string, ids: string[]) => {
  const { data } = await service().from(table).select('id, status').in('id', ids)
  return ids.map((id) => data?.find((one) => one.id === id)?.status ?? 'gone')
}

async function filter(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('tabpanel').getByLabel(label, { exact: true }).selectOption(option)
}

test('ADMIN-CLAIM-01 ADMIN-CLAIM-02 ADMIN-CLAIM-03 ADMIN-CLAIM-09 ADMIN-CLAIM-10: claims are found, filtered and opened by their address', async ({
  page,
  person,
  checkAccessibility,
}) => {
  await setAdmin(person)
  const word = newWord()
  const people = [await newPerson('Pia Claimant'), await newPerson('Pau Claimant')]
  const { shops, ids } = await newClaims(word, people)
  await page.goto('/admin?tab=claims')
  await find(page, word, 2)
  await expect(rowsOf(page).first()).toContainText(shops[0]?.name ?? '')
  await expect(rowsOf(page).first()).toContainText('Encamp, Andorra')
  for (const text of ['Claimant 1', 'Manager', 'Documents', 'Pending']) {
    await expect(rowsOf(page).first()).toContainText(text)
  }
  await checkAccessibility()
  await expectNoOverflow(page)
  await find(page, `${word}2@example.com`, 1)
  await expect(rowsOf(page)).toContainText('Claimant 2')
  await find(page, word, 2)
  await filter(page, 'Status', 'Rejected')
  await expect(page.getByText('No rejected claim requests found.')).toBeVisible()
  await expect(page).toHaveURL(`/admin?tab=claims&q=${word}&status=rejected`)
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(page).toHaveURL('/admin?tab=claims')

  await page.goto(`/admin?tab=claims&status=approved&row=${ids[1]}`)
  await expect(dialog(page)).toContainText('Claimant 2')
  await expect(dialog(page)).toContainText('Pau Claimant')
  await expect(dialog(page).getByRole('link', { name: shops[1]?.name ?? '' })).toHaveAttribute('href', /^\/business\//)
  await expect(dialog(page)).toContainText('No documents were added.')
  await checkAccessibility()
  await press(page, 'Close')
  await expect(page).toHaveURL('/admin?tab=claims&status=approved')
  await page.goto(`/admin?tab=claims&row=${crypto.randomUUID()}`)
  await expect(dialog(page)).toContainText('This request no longer exists.')
})

test('ADMIN-CLAIM-10: without any claim the list says so', once, async ({ page, person }) => {
  await setAdmin(person)
  await page.route('**/rpc/admin_claims*', (route) =>
    route.fulfill({ json: [], headers: { 'content-range': '*/0', 'access-control-expose-headers': 'content-range' } }),
  )
  await page.goto('/admin?tab=claims')
  await expect(page.getByText('No business claim requests have been submitted yet.')).toBeVisible()
})

test('ADMIN-CLAIM-05 ADMIN-CLAIM-06 ADMIN-CLAIM-07 ADMIN-CLAIM-08 ERR-48 ERR-61: a claim is reviewed with notes and its documents', async ({
  page,
  person,
  context,
  checkAccessibility,
}) => {
  await setAdmin(person)
  const word = newWord()
  const claimant = await newPerson('Pia Claimant')
  const { shops, ids } = await newClaims(word, [claimant])
  const content = Buffer.from('%PDF-1.4\n%%EOF\n')
  const key = `${claimant.id}/${ids[0]}/${crypto.randomUUID()}_lease.pdf`
  const stored = await claimant.client.storage.from('claim-documents').upload(key, content, { contentType: 'application/pdf' })
  expect(stored.error).toBeNull()

  // The notification of a new claim leads to it.
  const { data: notes } = await person.client.from('notifications').select('title, link').like('link', `%${ids[0]}`)
  expect(notes).toEqual([{ title: 'New claim', link: `/admin?tab=claims&row=${ids[0]}` }])
  await page.goto(notes?.[0]?.link ?? '')
  await press(page, 'Review Claim')
  await expect(dialog(page).getByRole('heading', { name: `Review the claim of ${shops[0]?.name}` })).toBeVisible()
  const [opened] = await Promise.all([
    context.waitForEvent('request', (request) => /object\/sign\/claim-documents\/.*token=/.test(request.url())),
    press(page, 'Open lease.pdf'),
  ])
  expect((await (await fetch(opened.url())).text())).toContain('%PDF')

  await dialog(page).getByLabel('Admin notes (optional)').fill('The lease is theirs.')
  await checkAccessibility()
  // Closing would lose them.
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Keep writing' }).click()
  await page.route('**/rest/v1/claim_requests?*', (route) =>
    route.request().method() === 'PATCH' ? route.fulfill({ status: 500, json: { code: 'XX000', message: 'secret' } }) : route.fallback(),
  )
  await press(page, 'Approve')
  await expect(dialog(page).getByRole('alert')).toContainText('Failed to review claim request')
  await expect(dialog(page).getByRole('alert')).not.toContainText('secret')
  await expect(dialog(page).getByLabel('Admin notes (optional)')).toHaveValue('The lease is theirs.')
  await page.unroute('**/rest/v1/claim_requests?*')
  await press(page, 'Approve')
  await expect(toast(page)).toContainText('Claim approved')
  await expect(dialog(page)).toHaveCount(0)

  const { data: claim } = await service().from('claim_requests').select('status, reviewed_by, admin_notes').eq('id', ids[0]).single()
  expect(claim).toEqual({ status: 'approved', reviewed_by: person.id, admin_notes: 'The lease is theirs.' })
  const { data: shop } = await service().from('businesses').select('owner_id, is_claimed, verification_status').eq('id', shops[0]?.id).single()
  expect(shop).toEqual({ owner_id: claimant.id, is_claimed: true, verification_status: 'verified' })
  await find(page, word, 1)
  await expect(rowsOf(page)).toContainText('Approved')
  await expect(rowsOf(page).getByRole('button', { name: /^Review Claim/ })).toHaveCount(0)
})

test('ADMIN-CLAIM-04: several claims are decided one at a time, with a result for each', once, async ({ page, person }) => {
  await setAdmin(person)
  const word = newWord()
  const people = [await newPerson(), await newPerson(), await newPerson()]
  const { shops, ids } = await newClaims(word, people)
  await page.goto('/admin?tab=claims')
  await find(page, word, 3)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  // Meanwhile one business got an owner, and another claim was decided by somebody else.
  await service().from('businesses').update({ owner_id: people[0]?.id }).eq('id', shops[1]?.id)
  await service().from('claim_requests').update({ status: 'rejected' }).eq('id', ids[2])
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') asked.push(new URL(request.url()).searchParams.get('id') ?? '')
  })
  await page.getByRole('button', { name: 'Approve (3)' }).click()
  await press(page, 'Approve')
  await expect(dialog(page).getByRole('alert')).toContainText('1 of 3 done')
  await expect(dialog(page).getByRole('listitem')).toHaveText([/Done$/, /has an owner by now/, /Somebody else has decided it/])
  expect(asked).toEqual(ids.map((id) => `eq.${id}`))
  await press(page, 'Close')
  expect(await statuses('claim_requests', ids)).toEqual(['approved', 'pending', 'rejected'])

  // What can be tried again is still selected.
  await page.getByRole('button', { name: 'Reject (1)' }).click()
  await press(page, 'Reject')
  await expect(toast(page)).toContainText('Claim rejected')
  expect(await statuses('claim_requests', ids)).toEqual(['approved', 'rejected', 'rejected'])
})

test('ADMIN-APP-01 ADMIN-APP-02 ADMIN-APP-03 ADMIN-APP-05 ADMIN-APP-06 ERR-49 ERR-61: an application is read and approved', async ({
  page,
  person,
  checkAccessibility,
}) => {
  await setAdmin(person)
  const word = newWord()
  const applicant = await newPerson('Quim Applicant')
  const ids = await newApplications(word, [applicant, await newPerson()])
  await page.goto('/admin?tab=applications')
  await find(page, word, 2)
  const first = row(page, `${word} 1`)
  for (const text of ['Bakery', 'Quim Applicant', 'Pending']) await expect(first).toContainText(text)
  await checkAccessibility()
  await expectNoOverflow(page)
  await first.getByRole('button', { name: /^View Details/ }).click()
  await expect(page).toHaveURL(new RegExp(`row=${ids[0]}`))
  await expect(dialog(page)).toContainText('Bread and cakes')
  await checkAccessibility()
  await press(page, 'Approve')
  await expect(dialog(page).getByRole('heading', { name: `Approve ${word} 1?` })).toBeVisible()
  await page.route('**/rest/v1/seller_applications?*', (route) =>
    route.request().method() === 'PATCH' ? route.abort('connectionreset') : route.fallback(),
  )
  await press(page, 'Approve')
  await expect(dialog(page).getByRole('alert')).toContainText('Error updating application')
  await press(page, 'Close')
  await page.unroute('**/rest/v1/seller_applications?*')
  await first.getByRole('button', { name: /^Approve/ }).click()
  await press(page, 'Approve')
  await expect(toast(page)).toContainText('Application approved')
  await expect(first).toContainText('Approved')
  await expect(first.getByRole('button', { name: /^(Approve|Reject)/ })).toHaveCount(0)
  const { data } = await applicant.client.from('profiles').select('role').eq('id', applicant.id).single()
  expect(data).toEqual({ role: 'owner' })
  await filter(page, 'Status', 'Approved')
  await expect(rowsOf(page)).toHaveCount(1)
})

test('ROUTE-33: the address opens the application that it highlights', once, async ({ page, person }) => {
  await setAdmin(person)
  const word = newWord()
  const [, id] = await newApplications(word, [await newPerson(), await newPerson()])
  await page.goto(`/admin?tab=applications&highlight=${id}`)
  await expect(dialog(page).getByRole('heading', { name: `${word} 2` })).toBeVisible()
  await press(page, 'Close')
  await expect(page).toHaveURL('/admin?tab=applications')
})

test('ADMIN-APP-04 ERR-61: several applications are approved, rejected and deleted, each after confirmation, by keyboard', once, async ({
  page,
  person,
}) => {
  await setAdmin(person)
  const word = newWord()
  const ids = await newApplications(word, [await newPerson(), await newPerson(), await newPerson(), await newPerson()])
  await page.goto('/admin?tab=applications')
  await find(page, word, 4)
  const choose = async (...numbers: number[]) => {
    for (const number of numbers) await page.getByRole('checkbox', { name: `Select ${word} ${number}` }).check()
  }
  await choose(1, 2)
  const approve = page.getByRole('button', { name: 'Approve All' })
  await tabTo(page, approve)
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('heading', { name: 'Approve 2 applications?' })).toBeVisible()
  await tabTo(page, dialog(page).getByRole('button', { name: 'Approve', exact: true }))
  await page.keyboard.press('Enter')
  await expect(toast(page)).toContainText('Applications approved')
  expect(await statuses('seller_applications', ids)).toEqual(['approved', 'approved', 'pending', 'pending'])

  // Decided ones are left out; they can only be deleted.
  await expect(rowsOf(page).filter({ hasText: 'Approved' })).toHaveCount(2)
  await choose(1, 3)
  await page.getByRole('button', { name: 'Reject All' }).click()
  await expect(dialog(page).getByRole('heading', { name: `Reject ${word} 3?` })).toBeVisible()
  await press(page, 'Reject')
  await expect(toast(page)).toContainText('Application rejected')
  await choose(4)
  await page.getByRole('button', { name: 'Delete All' }).click()
  await expect(dialog(page).getByRole('heading', { name: 'Delete 2 applications?' })).toBeVisible()
  await press(page, 'Delete')
  await expect(toast(page)).toContainText('Applications deleted')
  expect(await statuses('seller_applications', ids)).toEqual(['gone', 'approved', 'rejected', 'gone'])
})

test('ADMIN-REPORT-01 ADMIN-REPORT-02 ADMIN-REPORT-03 ADMIN-REPORT-04 ERR-50 ERR-61: reports name what they are about, and are resolved', async ({
  page,
  person,
  checkAccessibility,
}) => {
  await setAdmin(person)
  const word = newWord()
  const reporter = await newPerson('Rita Reporter')
  const [shop] = await newListings(word, 1)
  const author = await newPerson('Ada Author')
  const [review] = await insert('reviews', [{ user_id: author.id, business_id: shop?.id, rating: 1, comment: 'A very long comment '.repeat(5) }])
  const report = { reporter_id: reporter.id, reason: `Spam ${word}` }
  const ids = await insert('reports', [
    { ...report, type: 'business', reported_id: shop?.id, details: `It does not exist, (${word})` },
    { ...report, type: 'review', reported_id: review, details: null },
    { ...report, type: 'user', reported_id: author.id, details: null },
  ])
  await page.goto('/admin?tab=reports')
  await find(page, word, 3)
  await expect(row(page, `${word} 01`)).toContainText('Business')
  await expect(row(page, 'Review: ')).toContainText('A very long comment A very long comment A very lon')
  await checkAccessibility()
  await expectNoOverflow(page)
  await filter(page, 'Type', 'User')
  await expect(rowsOf(page)).toHaveCount(1)
  await expect(rowsOf(page)).toContainText('Ada Author')
  await filter(page, 'Type', 'All types')
  await find(page, `exist, (${word})`, 1)
  await rowsOf(page).getByRole('button', { name: /^View Details/ }).click()
  await expect(dialog(page)).toContainText(`It does not exist, (${word})`)
  await expect(dialog(page)).toContainText('Rita Reporter')
  await expect(dialog(page).getByRole('link', { name: `${word} 01` })).toBeVisible()
  await checkAccessibility()
  await press(page, 'Resolve')
  await press(page, 'Resolve')
  await expect(toast(page)).toContainText('Report updated')
  expect(await statuses('reports', ids)).toEqual(['resolved', 'pending', 'pending'])
  await expect(rowsOf(page).getByRole('button', { name: /^Resolve/ })).toHaveCount(0)

  // Another admin's decision is seen after a refresh, and told if it comes first.
  await find(page, word, 3)
  await row(page, 'Review: ').getByRole('button', { name: /^Reject/ }).click()
  await service().from('reports').update({ status: 'resolved' }).eq('id', ids[1])
  await press(page, 'Reject')
  await expect(dialog(page)).toContainText('Error updating report')
  await expect(dialog(page)).toContainText('Somebody else has decided it meanwhile')
  await press(page, 'Close')
  await filter(page, 'Status', 'Pending')
  await expect(rowsOf(page)).toHaveCount(1)
  await service().from('reports').update({ status: 'resolved' }).eq('id', ids[2])
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText('No reports found')).toBeVisible()
})

test('ADMIN-REPORT-05 ERR-50 ERR-61: several reports are resolved or rejected; a failure keeps them selected', once, async ({ page, person }) => {
  await setAdmin(person)
  const word = newWord()
  const shops = await newListings(word, 3)
  const reporter = await newPerson()
  const ids = await insert(
    'reports',
    shops.map(({ id }, index) => ({ reporter_id: reporter.id, type: 'business', reported_id: id, reason: `${word} ${index + 1}` })),
  )
  await page.goto('/admin?tab=reports')
  await find(page, word, 3)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  const bar = page.getByRole('region', { name: '3 report(s) selected' })
  await expect(bar.getByRole('button')).toHaveText(['Clear', 'Resolve All', 'Reject All'])
  await page.route('**/rest/v1/reports?*', (route) => route.abort('connectionreset'))
  await bar.getByRole('button', { name: 'Reject All' }).click()
  await press(page, 'Reject')
  await expect(dialog(page).getByRole('alert')).toContainText('Error updating reports')
  await expect(dialog(page).getByRole('alert')).toContainText('0 of 3 done')
  await press(page, 'Close')
  await page.unroute('**/rest/v1/reports?*')
  await bar.getByRole('button', { name: 'Resolve All' }).click()
  await press(page, 'Resolve')
  await expect(toast(page)).toContainText('Reports updated')
  await expect(bar).toHaveCount(0)
  expect(await statuses('reports', ids)).toEqual(['resolved', 'resolved', 'resolved'])
})

test('PERM-14 S-45 S-46: nobody else decides, nor by the API', once, async ({ page, person }) => {
  const word = newWord()
  const { ids } = await newClaims(word, [person])
  await enter(page, person)
  await page.goto('/admin?tab=claims')
  await expect(page).toHaveURL('/')
  const { data } = await person.client.from('claim_requests').update({ status: 'approved' }).eq('id', ids[0]).select()
  expect(data).toEqual([])
  expect((await person.client.rpc('review_claim', { p_claim_id: ids[0], p_decision: 'approved' })).error?.details).toBe('not_admin')
  const { data: others } = await person.client.rpc('admin_claims', { p_search: '' })
  expect(others?.map(({ id }: { id: string }) => id)).toEqual(ids)
})
