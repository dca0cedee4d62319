import { service, tabTo } from './accounts'
import { ask, type BookableShop, bookableShopOf } from './bookable-shops'
import { enter, expect, newPerson, once, type Person, test } from './fixtures'

const url = process.env.SUPABASE_URL ?? 'http://127.0.0.1:54321'

type Mail = { kind: string; subject: string; text: string; headers?: Record<string, string> }

/** The mails of a kind to a person, newest first. */
async function mailsTo({ email }: Person, kind: string): Promise<Mail[]> {
  const answer = await fetch(`${url}/inbox/messages?to=${encodeURIComponent(email)}`)
  const mails: Mail[] = await answer.json()
  return mails.filter((mail) => mail.kind === kind)
}

/** The only mail of a kind to a person, once it has arrived. */
async function mailTo(person: Person, kind: string): Promise<Mail> {
  await expect.poll(async () => (await mailsTo(person, kind)).length).toBe(1)
  const [mail] = await mailsTo(person, kind)
  if (!mail) throw new Error('it was there')
  return mail
}

/** The stored kinds that a person has turned off. */
async function switchedOff({ id }: Person): Promise<string[]> {
  const { data, error } = await service()
    .from('notification_settings')
    .select('kind')
    .eq('user_id', id)
    .eq('by_mail', false)
    .order('kind')
  if (error) throw error
  return data.map(({ kind }) => kind)
}

async function newOwner(): Promise<{ owner: Person; shop: BookableShop }> {
  const owner = await newPerson('Berta Font')
  return { owner, shop: await bookableShopOf(owner, `Saló ${crypto.randomUUID().slice(0, 8)}`) }
}

/** The URL that mail programs use for one-click unsubscription. */
function oneClick(mail: Mail): string {
  expect(mail.headers?.['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
  return mail.headers?.['List-Unsubscribe']?.match(/^<(\S+)>$/)?.[1] ?? ''
}

test('PROFILE-09: kinds that are off are not mailed; the others link to the booking', async ({
  page,
  checkAccessibility,
}) => {
  const { owner, shop } = await newOwner()
  await enter(page, owner)
  await page.goto('/profile?tab=notifications')
  const requests = page.getByRole('switch', { name: 'Booking requests' })
  await expect(requests).toBeChecked()
  await expect(page.getByRole('switch')).toHaveCount(6)
  await expect(page.getByText('coming soon')).toBeVisible()
  await checkAccessibility()
  await tabTo(page, requests)
  await page.keyboard.press('Space')
  await expect(requests).not.toBeChecked()
  await expect.poll(() => switchedOff(owner)).toEqual(['booking_asked'])
  await ask(shop, 'Arnau Puig', 7, '10:00')
  await page.reload()
  await expect(requests).not.toBeChecked()
  await requests.click()
  await expect.poll(() => switchedOff(owner)).toEqual([])

  // Mails are sent in the order of their events: one of Arnau's request would arrive before this
  // one.
  await ask(shop, 'Carla Roca', 7, '12:00')
  const mail = await mailTo(owner, 'booking_asked')
  expect(mail.subject).toBe(`New booking request for ${shop.name}`)
  expect(mail.text).toContain('Carla Roca asks for Haircut on ')
  expect(mail.text).toContain(' at 12:00 (Madrid time).')
  await page.goto(mail.text.match(/Answer the request: (\S+)/)?.[1] ?? '')
  await expect(page).toHaveURL(new RegExp(`/business/${shop.id}/bookings`))
  await expect(page.getByRole('dialog').getByText('Carla Roca')).toBeVisible()
})

test('PROFILE-09: customers have no setting for requests; a switch is reset on failure', once, async ({
  page,
  person,
  context,
}) => {
  await page.goto('/profile?tab=notifications')
  const reminders = page.getByRole('switch', { name: 'Reminders' })
  await expect(reminders).toBeChecked()
  await expect(page.getByRole('switch', { name: 'Booking requests' })).toHaveCount(0)
  const settings = '**/rest/v1/notification_settings*'
  await page.route(settings, (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 500 }) : route.continue(),
  )
  await reminders.click()
  await expect(page.getByRole('alert')).toContainText('Not saved: Reminders')
  await expect(reminders).toBeChecked()
  await page.unroute(settings)
  await context.setOffline(true)
  await reminders.click()
  await expect(page.getByRole('alert')).toContainText('You are offline')
  await expect(reminders).toBeChecked()
  expect(await switchedOff(person)).toEqual([])
  await context.setOffline(false)
  await reminders.click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect.poll(() => switchedOff(person)).toEqual(['booking_reminder'])
})

test('PROFILE-09: a mail ends its kind by its link, without signing in', once, async ({
  page,
  checkAccessibility,
}) => {
  const { owner, shop } = await newOwner()
  const { customer, id } = await ask(shop, 'Dora Mas', 8, '10:00')
  const { error } = await owner.client.rpc('set_booking_status', {
    p_booking_id: id,
    p_status: 'confirmed',
  })
  expect(error).toBeNull()
  const link = oneClick(await mailTo(customer, 'booking_answered'))
  await page.goto(link)
  const button = page.getByRole('button', { name: 'Unsubscribe' })
  await expect(page.getByText('no more mails of the kind “Answers to bookings”')).toBeVisible()
  await checkAccessibility()
  expect(await switchedOff(customer)).toEqual([]) // opening the link is not enough
  await tabTo(page, button)
  await page.keyboard.press('Enter')
  await expect(page.getByText('You are unsubscribed')).toBeVisible()
  await checkAccessibility()
  expect(await switchedOff(customer)).toEqual(['booking_answered'])

  await page.goto(`${link.slice(0, -4)}AAAA`)
  await button.click()
  await expect(page.getByRole('alert')).toContainText('This link is not complete')
  await page.goto('/unsubscribe')
  await expect(page.getByRole('alert')).toContainText('This link is not complete')
  await expect(button).toHaveCount(0)
  await checkAccessibility()
})

test('PROFILE-09: a mail program unsubscribes by one click', once, async () => {
  const { owner, shop } = await newOwner()
  await ask(shop, 'Eva Gil', 9, '10:00')
  const link = oneClick(await mailTo(owner, 'booking_asked'))
  for (let time = 0; time < 2; time++) {
    const answer = await fetch(link, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    })
    expect(answer.status).toBe(200)
    expect(await switchedOff(owner)).toEqual(['booking_asked'])
  }
  const refused = await fetch(`${link.slice(0, -4)}AAAA`, { method: 'POST' })
  expect(refused.status).toBe(400)
})
