import { service } from './accounts'
import { expectNoOverflow, find, setAdmin, newWord, rowsOf } from './admins'
import { enter, expect, newPerson, once, type Person, test } from './fixtures'
import { givePlan } from './owners'

async function ask({ client }: Person, subject: string): Promise<void> {
  const { error } = await client
    .from('support_tickets')
    .insert({ subject, message: 'When am I paid for a booking?' })
  if (error) throw error
}

test('SUB-07 ROUTE-17: a question is asked on the contact page, and its answer read there', async ({
  page,
  person,
  checkAccessibility,
}) => {
  await page.goto('/contact')
  const form = page.getByRole('region', { name: 'Write to us' })
  const own = page.getByRole('region', { name: 'Your questions' })
  await expect(own.getByText('You have not asked anything yet.')).toBeVisible()
  await expect(page.getByText('Your plan has priority support')).toHaveCount(0)
  await form.getByRole('button', { name: 'Send question' }).click()
  await expect(form.getByText('Please enter a subject of at least 3 characters')).toBeVisible()
  await expect(form.getByLabel('Subject')).toBeFocused()
  await checkAccessibility()

  await form.getByLabel('Subject').fill('Payments')
  await form.getByLabel('Your question').fill('When am I paid for a booking?')
  await expect(form.getByText('29 of 4,000 characters')).toBeVisible()
  await page.context().setOffline(true)
  await form.getByRole('button', { name: 'Send question' }).click()
  await expect(form.getByRole('alert')).toContainText('You are offline')
  await expect(form.getByLabel('Your question')).toHaveValue('When am I paid for a booking?')
  await page.context().setOffline(false)
  // Input is kept after visiting another page, too.
  await page.getByRole('link', { name: 'help page' }).click()
  await expect(page.getByRole('heading', { name: 'Help', level: 1 })).toBeVisible()
  await page.goBack()
  await expect(form.getByLabel('Subject')).toHaveValue('Payments')
  await form.getByRole('button', { name: 'Send question' }).click()
  await expect(page.getByLabel('Message', { exact: true })).toContainText('Question sent')
  await expect(form.getByLabel('Subject')).toHaveValue('')
  const question = own.getByRole('button', { name: /^Payments/ })
  await expect(question).toContainText('Waiting')
  await checkAccessibility()

  const { data } = await person.client.from('support_tickets').select('id').single()
  await service()
    .from('support_tickets')
    .update({ answer: 'Each Monday.' })
    .eq('id', data?.id ?? '')
  await page.goto('/notifications')
  await page.getByRole('link', { name: /Your question was answered/ }).click()
  await expect(page).toHaveURL(`/contact?ticket=${data?.id}`)
  await expect(question).toHaveAttribute('aria-expanded', 'true')
  await expect(question).toContainText('Answered')
  await expect(own.getByText('Each Monday.')).toBeInViewport()
  await checkAccessibility()
  await expectNoOverflow(page)
  await question.press('Enter')
  await expect(page).toHaveURL('/contact')
  await expect(own.getByText('Each Monday.')).toBeHidden()
})

test('SUB-07: a question sent twice for want of an answer is stored once', once, async ({
  page,
  person,
}) => {
  await page.goto('/contact')
  await page.getByLabel('Subject').fill('Payments')
  await page.getByRole('textbox', { name: 'Your question' }).fill('When am I paid for a booking?')
  await page.route('**/rest/v1/support_tickets*', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Send question' }).click()
  await expect(page.getByRole('alert')).toContainText('Your question was not sent')
  await page.unroute('**/rest/v1/support_tickets*')
  await page.getByRole('button', { name: 'Send question' }).click()
  await expect(page.getByRole('button', { name: /^Payments/ })).toHaveCount(1)
  const { data } = await person.client.from('support_tickets').select('subject')
  expect(data).toEqual([{ subject: 'Payments' }])
})

test('SUB-07: more open questions than ten are refused in words; old and foreign ones open by address', once, async ({
  page,
  person,
}) => {
  for (let number = 1; number <= 10; number++) await ask(person, `Question ${number}`)
  // An eleventh, answered, so that the oldest is on another page.
  const { data: oldest } = await person.client
    .from('support_tickets')
    .select('id')
    .eq('subject', 'Question 1')
    .single()
  await service()
    .from('support_tickets')
    .update({ answer: 'It is so.' })
    .eq('id', oldest?.id ?? '')
  await ask(person, 'Question 11')
  await page.goto(`/contact?ticket=${oldest?.id}`)
  await expect(page.getByText('It is so.')).toBeVisible()
  await expect(
    page.getByRole('region', { name: 'Your questions' }).getByRole('listitem'),
  ).toHaveCount(10)
  await page.getByLabel('Subject').fill('Question 12')
  await page.getByRole('textbox', { name: 'Your question' }).fill('When am I paid for a booking?')
  await page.getByRole('button', { name: 'Send question' }).click()
  await expect(page.getByRole('alert')).toContainText(
    'You have 10 questions that are not answered yet',
  )
  await expect(page.getByLabel('Subject')).toHaveValue('Question 12')
  await page.goto('/contact?ticket=nothing')
  await expect(page.getByText('This question is not among yours')).toBeVisible()
})

test('ROUTE-17: signed out, the contact page has the way to sign in and the mail address', once, async ({
  page,
  checkAccessibility,
}) => {
  await page.goto('/contact?ticket=1')
  await expect(page.getByRole('link', { name: /@/ })).toHaveAttribute('href', /^mailto:/)
  await expect(page.getByLabel('Subject')).toHaveCount(0)
  await checkAccessibility()
  await page.getByRole('article').getByRole('link', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/auth')
  expect(await page.evaluate(() => sessionStorage.getItem('plaza.redirect'))).toBe(
    '/contact?ticket=1',
  )
})

test('ROUTE-17: contact, privacy and terms name the operator', once, async ({ page }) => {
  for (const path of ['/contact', '/privacy', '/terms']) {
    await page.goto(path)
    await expect(page.getByRole('article')).toContainText('Test SL')
    await expect(page.getByRole('article')).toContainText('Carrer Major 1, Encamp')
    await expect(page.getByRole('link', { name: 'hello@plaza.test' })).toHaveAttribute(
      'href',
      'mailto:hello@plaza.test',
    )
  }
})

test('SUB-07: admins see priority tickets first, and answer once', once, async ({
  page,
  person,
  checkAccessibility,
}) => {
  const word = newWord()
  const [buyer, seller] = [await newPerson('Biel Roca'), await newPerson('Sara Mas')]
  await givePlan(seller, 'premium')
  await ask(buyer, `${word} first asked`)
  await ask(seller, `${word} with priority`)
  await setAdmin(person)
  await page.goto('/admin')
  await page.getByRole('tab', { name: 'Support' }).click()
  await find(page, word, 2)
  await expect(rowsOf(page).nth(0)).toContainText(`${word} with priority`)
  await expect(rowsOf(page).nth(0)).toContainText('Priority')
  await expect(rowsOf(page).nth(1)).toContainText('Biel Roca')
  await checkAccessibility()
  await expectNoOverflow(page)

  await rowsOf(page).nth(0).getByRole('button', { name: 'Answer' }).click()
  const dialog = page.getByRole('dialog', { name: `${word} with priority` })
  await expect(dialog.getByText('When am I paid for a booking?')).toBeVisible()
  await dialog.getByRole('button', { name: 'Send answer' }).click()
  await expect(dialog.getByText('Please enter an answer')).toBeVisible()
  await dialog.getByLabel('Your answer').fill('Each Monday.')
  await checkAccessibility()
  await page.keyboard.press('Escape')
  const asked = page.getByRole('dialog', { name: 'Discard your answer?' })
  await asked.getByRole('button', { name: 'Keep writing' }).click()
  await expect(dialog.getByLabel('Your answer')).toHaveValue('Each Monday.')
  // Going back would lose it, too.
  await page.goBack()
  await asked.getByRole('button', { name: 'Keep writing' }).click()
  await expect(dialog.getByLabel('Your answer')).toHaveValue('Each Monday.')
  await dialog.getByRole('button', { name: 'Send answer' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByLabel('Message', { exact: true })).toContainText(
    'Sara Mas has been notified',
  )
  await expect(rowsOf(page).nth(0)).toContainText(`${word} first asked`)

  await page.getByLabel('State').selectOption('Open')
  await expect(page).toHaveURL(/state=open/)
  await expect(rowsOf(page)).toHaveCount(1)
  // Another admin is faster.
  await rowsOf(page).getByRole('button', { name: 'Answer' }).click()
  await service()
    .from('support_tickets')
    .update({ answer: 'On Monday.' })
    .eq('subject', `${word} first asked`)
  const second = page.getByRole('dialog', { name: `${word} first asked` })
  await second.getByLabel('Your answer').fill('Each Monday.')
  await second.getByRole('button', { name: 'Send answer' }).click()
  await expect(second.getByRole('alert')).toContainText('Somebody else has answered this question')
  await second.getByRole('button', { name: 'Cancel' }).click()
  await asked.getByRole('button', { name: 'Discard' }).click()
  await page.getByLabel('State').selectOption('Answered')
  await expect(rowsOf(page)).toHaveCount(2)
  await rowsOf(page).nth(0).getByRole('button', { name: 'Read' }).click()
  await expect(second.getByText('On Monday.')).toBeVisible()
})

test('SUB-07: priority support is shown to users whose plan includes it', async ({ page }) => {
  const person = await newPerson()
  await givePlan(person, 'premium')
  await enter(page, person)
  await page.goto('/contact')
  await expect(page.getByText('Your plan has priority support')).toBeVisible()
})
