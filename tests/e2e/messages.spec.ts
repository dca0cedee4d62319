import type { Page } from '@playwright/test'
import { enter, expect, hold, newPerson, once, type Person, test } from './fixtures'
import { type Shop, shopOf } from './owners'
import { picture } from './pictures'

const log = (page: Page) => page.getByRole('log')
const field = (page: Page) => page.getByRole('textbox', { name: 'Your message' })

async function send(page: Page, text: string): Promise<void> {
  await field(page).fill(text)
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(log(page).getByText(text)).toBeVisible()
  await expect(field(page)).toHaveValue('')
}

/** The owner's page, in addition to the customer's. */
async function ownerPage(page: Page, owner: Person): Promise<Page> {
  const other = await page.context().browser()?.newPage()
  if (!other) throw new Error('no browser')
  await enter(other, owner)
  return other
}

async function shop(): Promise<{ owner: Person; business: Shop }> {
  const owner = await newPerson('Marc Puig')
  return { owner, business: await shopOf(owner) }
}

test('ROUTE-28 MSG-01 MSG-03: a question from the business page, its reply, and the unread count', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const { owner, business } = await shop()
  await page.goto(`/business/${business.id}`)
  await page.getByRole('link', { name: 'Message', exact: true }).click()
  await expect(page).toHaveURL(`/messages?business=${business.id}`)
  await expect(page.getByText(`Write the first message to ${business.name}.`)).toBeVisible()
  await checkAccessibility()
  await send(page, 'Are you open on Friday?')
  await expect(page).toHaveURL(/\/messages\?conversation=/)
  // The requirements' URL opens the same conversation from now on.
  const address = page.url()
  await page.goto(`/messages?business=${business.id}`)
  await expect(page).toHaveURL(address)

  const theirs = await ownerPage(page, owner)
  await theirs.goto('/notifications')
  await theirs
    .getByRole('main')
    .getByRole('link', { name: /New message about/ })
    .click()
  await expect(log(theirs).getByText('Are you open on Friday?')).toBeVisible()
  const pane = theirs.getByRole('region', { name: 'Messages with Ona Vidal' })
  await expect(pane.getByText(`about ${business.name}`)).toBeVisible()
  await expect(theirs.getByRole('link', { name: 'Messages', exact: true })).toBeVisible()
  await expect
    .poll(async () => (await owner.client.from('notifications').select('read')).data)
    .toContainEqual({ read: true })
  await page.goto('/about')
  await send(theirs, 'Yes, until eight.')
  await page.getByRole('link', { name: 'Messages, 1 unread' }).click()
  const entry = page.getByRole('navigation', { name: 'Conversations' }).getByRole('link')
  await expect(entry).toContainText('Yes, until eight.')
  await expect(entry).toContainText('1 unread message')
  await checkAccessibility()
  await entry.click()
  await expect(log(page).getByText('Yes, until eight.')).toBeVisible()
  await checkAccessibility()
  await expect(page.getByRole('link', { name: 'Messages', exact: true })).toBeVisible()
  const { data } = await person.client.from('messages').select('content, read').order('created_at')
  expect(data).toEqual([
    { content: 'Are you open on Friday?', read: true },
    { content: 'Yes, until eight.', read: true },
  ])
  await theirs.close()
})

test('MSG-03: a message that cannot be sent stays in the field, with the reason', async ({
  page,
  person,
}) => {
  const { business } = await shop()
  await page.goto(`/messages?business=${business.id}`)
  await field(page).fill('Hello')
  await page.route('**/rest/v1/messages*', (route) => route.abort())
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('alert')).toContainText('Your message was not sent')
  await expect(page.getByRole('alert')).toContainText('What you wrote is kept')
  await expect(field(page)).toHaveValue('Hello')
  // Visiting another screen in between loses nothing, either.
  await page.getByRole('link', { name: 'Messages', exact: true }).click()
  await expect(page).toHaveURL('/messages')
  await page.goBack()
  await expect(field(page)).toHaveValue('Hello')
  await page.unroute('**/rest/v1/messages*')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(log(page).getByText('Hello')).toBeVisible()
  expect((await person.client.from('messages').select('content')).data).toHaveLength(1)
})

test('MSG-03: what is typed while a message is sent stays in the field', once, async ({
  page,
  person,
}) => {
  const { business } = await shop()
  await page.goto(`/messages?business=${business.id}`)
  const letGo = await hold(page, '**/rest/v1/messages*')
  await field(page).fill('Hello')
  await page.getByRole('button', { name: 'Send' }).click()
  await field(page).press('End')
  await field(page).pressSequentially(' again')
  letGo()
  await expect(log(page).getByText('Hello')).toBeVisible()
  await expect(field(page)).toHaveValue('again')
  expect((await person.client.from('messages').select('content')).data).toEqual([{ content: 'Hello' }])
})

test('a photo reaches the other party, and a file that is none is refused', async ({
  page,
  person,
}) => {
  const { owner, business } = await shop()
  await page.goto(`/messages?business=${business.id}`)
  const files = page.locator('input[type=file]')
  await files.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('text') })
  await expect(page.getByRole('alert')).toContainText('Please upload a valid image file')
  await files.setInputFiles(picture({ name: 'door.png', width: 640, height: 480 }))
  await expect(page.getByText('door.png', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(log(page).getByRole('img', { name: 'Photo from You' })).toBeVisible()
  const theirs = await ownerPage(page, owner)
  await theirs.goto('/messages')
  await theirs.getByRole('navigation', { name: 'Conversations' }).getByRole('link').click()
  const photo = log(theirs).getByRole('img', { name: 'Photo from Ona Vidal' })
  await expect(photo).toBeVisible()
  await expect
    .poll(() =>
      photo.evaluate((node) => (node instanceof HTMLImageElement ? node.naturalWidth : 0)),
    )
    .toBe(640)
  const { data } = await person.client.from('messages').select('content, attachments')
  expect(data).toEqual([{ content: '', attachments: [expect.stringContaining(person.id)] }])
  await theirs.close()
})

test('a blocked user cannot write until the block is removed', once, async ({ page, person }) => {
  const { owner, business } = await shop()
  await person.client.from('messages').insert({ business_id: business.id, content: 'Hello' })
  const theirs = await ownerPage(page, owner)
  await theirs.goto('/messages')
  await theirs.getByRole('navigation', { name: 'Conversations' }).getByRole('link').click()
  await theirs.getByRole('button', { name: 'Conversation options' }).click()
  await theirs.getByRole('menuitem', { name: 'Block' }).click()
  await theirs
    .getByRole('dialog', { name: 'Block Ona Vidal?' })
    .getByRole('button', { name: 'Block' })
    .click()
  await expect(theirs.getByText('You have blocked this conversation.')).toBeVisible()
  await page.goto(`/messages?business=${business.id}`)
  await expect(page.getByText('No messages can be sent here any more.')).toBeVisible()
  await expect(field(page)).toBeHidden()
  await theirs.getByRole('button', { name: 'Conversation options' }).click()
  await theirs.getByRole('menuitem', { name: 'Unblock' }).click()
  await expect(field(theirs)).toBeVisible()
  await page.reload()
  await send(page, 'Hello again')
  await theirs.close()
})

test('MSG-02: no messages, a conversation of others, and a visitor', once, async ({
  page,
  browser,
  checkAccessibility,
}) => {
  await enter(page, await newPerson())
  await page.goto('/messages')
  await expect(page.getByText('No messages yet')).toBeVisible()
  await checkAccessibility()
  await page.goto(`/messages?conversation=${crypto.randomUUID()}`)
  await expect(page.getByText('This conversation does not exist')).toBeVisible()
  const visitor = await browser.newPage()
  await visitor.goto('/messages')
  await expect(visitor).toHaveURL('/auth')
  await visitor.close()
})

test('a long conversation is read a page at a time', once, async ({ page, person }) => {
  const { owner, business } = await shop()
  for (let n = 1; n <= 35; n++) {
    const { client } = n % 2 === 1 ? person : owner
    const recipient = n % 2 === 1 ? {} : { recipient_id: person.id }
    const { error } = await client
      .from('messages')
      .insert({ business_id: business.id, content: `Line ${n}.`, ...recipient })
    expect(error).toBeNull()
  }
  await page.goto(`/messages?business=${business.id}`)
  await expect(log(page).getByText('Line 35.')).toBeInViewport()
  await expect(log(page).getByText('Line 5.')).toHaveCount(0)
  await page.getByRole('button', { name: 'Show earlier messages' }).click()
  await expect(log(page).getByText('Line 1.', { exact: true })).toBeAttached()
  // What was at the top stays there.
  await expect(log(page).getByText('Line 6.')).toBeInViewport()
  await expect(log(page).getByText('Line 1.', { exact: true })).not.toBeInViewport()
})
