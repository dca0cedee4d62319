import type { Locator, Page } from '@playwright/test'
import { service, tabTo } from './accounts'
import { newListings, newUsers, newWord, setAdmin } from './admins'
import { enter, expect, newPerson, once, test } from './fixtures'
import { shopOf } from './owners'
import { toast } from './photo-page'
import { recordVisits, shopDay, visitedShopOf } from './visited-shops'

type Typed = { opener: Locator; dialog: Locator; field: Locator; text: string }

/** Opens a dialog by keyboard. */
async function open(page: Page, { opener, dialog, field }: Typed): Promise<void> {
  await tabTo(page, opener)
  await page.keyboard.press('Enter')
  await expect(dialog).toBeVisible()
  await expect(field).toBeVisible()
}

/**
 * Types into a field of the open dialog. Then Escape, the close button and a press outside ask; to
 * keep editing keeps what was typed.
 */
async function typeAndStay(page: Page, { dialog, field, text }: Typed): Promise<void> {
  const asked = page.getByRole('dialog', { name: 'Discard your changes?' })
  await tabTo(page, field)
  await page.keyboard.type(text)
  for (const close of [
    () => page.keyboard.press('Escape'),
    () => dialog.getByRole('button', { name: 'Close', exact: true }).first().press('Enter'),
    () => page.mouse.click(2, 2),
  ]) {
    await close()
    await expect(asked).toBeVisible()
    await tabTo(page, asked.getByRole('button', { name: 'Keep editing' }))
    await page.keyboard.press('Enter')
    await expect(asked).toBeHidden()
    await expect(field).toHaveValue(text)
  }
  // Escape of the question itself keeps the text, however often it is pressed.
  for (let time = 0; time < 3; time++) {
    await page.keyboard.press('Escape')
    await expect(asked).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(asked).toBeHidden()
    await expect(dialog).toBeVisible()
    await expect(field).toHaveValue(text)
  }
}

/** Opens a dialog, which closes at once; opens it again, types, stays, and then discards. */
async function checkDialog(page: Page, typed: Typed): Promise<void> {
  await open(page, typed)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(typed.opener).toBeFocused()
  await open(page, typed)
  await typeAndStay(page, typed)
  await page.keyboard.press('Escape')
  const discard = page.getByRole('dialog').getByRole('button', { name: 'Discard', exact: true })
  await tabTo(page, discard)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await open(page, typed)
  await expect(typed.field).toHaveValue('')
}

test('Issue 19, unsaved changes: a claim and a report ask before Escape closes them', once, async ({
  page,
  person,
}) => {
  const [listing] = await newListings(newWord(), 1)
  if (!listing) throw new Error('no listing')
  await page.goto(`/business/${listing.id}`)
  const claim = page.getByRole('dialog', { name: 'Claim this business' })
  await checkDialog(page, {
    opener: page.getByRole('button', { name: 'Claim this business' }),
    dialog: claim,
    field: claim.getByLabel('Your role'),
    text: 'Owner',
  })
  await claim.getByLabel('Your role').fill('Owner')
  await claim.getByLabel('Your name').fill('Ona Vidal')
  await claim.getByLabel('Business email').fill('ona@example.com')
  await claim.getByRole('button', { name: 'Send claim' }).press('Enter')
  await expect(toast(page)).toContainText('Claim sent')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  const report = page.getByRole('dialog', { name: `Report ${listing.name}` })
  await checkDialog(page, {
    opener: page.getByRole('button', { name: 'Report this business' }),
    dialog: report,
    field: report.getByLabel('Details (optional)'),
    text: 'It asks for money first.',
  })
  await report.getByLabel('Reason').selectOption('Other')
  await report.getByRole('button', { name: 'Send report' }).press('Enter')
  await expect(page.getByText('Report sent')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const { count } = await person.client
    .from('reports')
    .select('*', { count: 'exact', head: true })
    .eq('reporter_id', person.id)
  expect(count).toBe(1)
})

test('Issue 19, unsaved changes: a review and a booking by hand ask before Escape closes them', once, async ({
  page,
  person,
}) => {
  const shop = await visitedShopOf(await newPerson('Marc Puig'), { Haircut: 20 })
  await recordVisits(shop, [
    { service: 'Haircut', date: shopDay(-3), start: '10:00', status: 'completed' },
  ])
  const { error } = await service()
    .from('bookings')
    .update({ user_id: person.id, source: 'online', customer_name: null })
    .eq('business_id', shop.id)
  if (error) throw error
  await page.goto('/bookings?view=past')
  const review = page.getByRole('dialog', { name: `Your review of ${shop.name}` })
  await checkDialog(page, {
    opener: page.getByRole('button', { name: /^Review this visit/ }),
    dialog: review,
    field: review.getByLabel('Your words (optional)'),
    text: 'They listen before they cut.',
  })
  await review.getByLabel('Your words (optional)').fill('They listen before they cut.')
  await review.getByRole('radio', { name: '4 stars' }).press('Space')
  await review.getByRole('button', { name: 'Send review' }).press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  const own = await shopOf(person)
  await page.goto(`/business/${own.id}/bookings`)
  const walkIn = page.getByRole('dialog', { name: 'Add a booking' })
  await checkDialog(page, {
    opener: page.getByRole('button', { name: 'Add booking' }),
    dialog: walkIn,
    field: walkIn.getByLabel('Name of the customer'),
    text: 'Pol Riera',
  })
})

test('Issue 19, unsaved changes: an admin’s notes and a category ask before Escape closes them', once, async ({
  page,
  person,
}) => {
  await setAdmin(person)
  const word = newWord()
  const [listing] = await newListings(word, 1)
  const [claimant] = await newUsers(word, 1)
  const { error } = await service().from('claim_requests').insert({
    business_id: listing?.id,
    user_id: claimant,
    full_name: word,
    business_email: 'ona@example.com',
    role_at_company: 'Owner',
    verification_method: 'document_upload',
  })
  if (error) throw error
  await page.goto(`/admin?tab=claims&q=${word}`)
  const notes = page.getByRole('dialog', { name: new RegExp(word) })
  const field = notes.getByLabel('Admin notes (optional)')
  await tabTo(page, page.getByRole('button', { name: /^Review Claim/ }))
  await page.keyboard.press('Enter')
  await tabTo(page, field)
  await page.keyboard.type('The stamp is missing.')
  const asked = page.getByRole('dialog', { name: 'Discard your notes?' })
  for (let time = 0; time < 2; time++) {
    await page.keyboard.press('Escape')
    await expect(asked).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(asked).toBeHidden()
    await expect(field).toHaveValue('The stamp is missing.')
  }
  await notes.getByRole('button', { name: 'Reject' }).press('Enter')
  await expect(toast(page)).toContainText('Claim rejected')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.goto('/admin?tab=categories')
  const category = page.getByRole('dialog', { name: 'Add a category' })
  await checkDialog(page, {
    opener: page.getByRole('button', { name: 'Add category' }),
    dialog: category,
    field: category.getByLabel('Name', { exact: true }),
    text: 'Bakeries',
  })
})
