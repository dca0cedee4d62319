import type { Page, WebSocketRoute } from '@playwright/test'
import { service } from './accounts'
import { setAdmin } from './admins'
import { bookableShopOf, dayAhead, dayWords, requestBookingAs } from './bookable-shops'
import { enter, expect, newPerson, once, type Person, test } from './fixtures'
import { shopOf } from './owners'

// Nothing here is reloaded, and the screens refetch by themselves after a minute at the earliest:
// what appears was pushed.

/** A second browser window, of another person or of a visitor. */
async function otherWindow(page: Page, person?: Person): Promise<Page> {
  const other = await page.context().browser()?.newPage()
  if (!other) throw new Error('no browser')
  if (person) await enter(other, person)
  return other
}

/** Opens a page and waits until a channel of it receives changes. */
async function openLive(page: Page, path: string, channel = 'account:'): Promise<void> {
  const subscribed = page.waitForEvent('websocket').then((socket) =>
    socket.waitForEvent('framereceived', {
      predicate: ({ payload }) =>
        String(payload).includes(`"Subscribed to PostgreSQL","channel":"${channel}`),
    }),
  )
  await page.goto(path)
  await subscribed
}

const log = (page: Page) => page.getByRole('log')
const field = (page: Page) => page.getByRole('textbox', { name: 'Your message' })

test('MSG-03 NAV-01: messages, typing and read appear on the other side at once', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const owner = await newPerson('Marc Puig')
  const shop = await shopOf(owner)
  const theirs = await otherWindow(page, owner)
  await openLive(theirs, '/about')
  await page.goto(`/messages?business=${shop.id}`)
  await field(page).fill('Are you open on Friday?')
  await page.getByRole('button', { name: 'Send' }).click()
  // Shown for four seconds.
  await expect(theirs.getByText(/New message about/)).toBeVisible()
  await expect(page).toHaveURL(/conversation=/)

  await expect(theirs.getByRole('link', { name: 'Messages, 1 unread' })).toBeVisible()
  await expect(theirs.getByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible()
  await expect(log(page).getByText('Read')).toBeHidden()
  await theirs.getByRole('link', { name: 'Messages, 1 unread' }).click()
  await theirs.getByRole('navigation', { name: 'Conversations' }).getByRole('link').click()
  await expect(log(page).getByText('Read')).toBeVisible()
  await expect(theirs.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible()

  await expect(async () => {
    await field(theirs).pressSequentially('Y')
    await expect(page.getByText(`${shop.name} is typing…`)).toBeVisible({ timeout: 1000 })
  }).toPass()
  await checkAccessibility()
  await field(theirs).fill('Yes, until eight.')
  await theirs.getByRole('button', { name: 'Send' }).click()
  await expect(log(page).getByText('Yes, until eight.')).toBeVisible()
  await expect(page.getByText(/is typing/)).toBeHidden()
  await expect(log(theirs).getByText('Read')).toBeVisible()
  await theirs.close()
})

test('NOTIF-02 NOTIF-04: notifications appear on their page and leave the bell of another window', async ({
  page,
  person,
}) => {
  const second = await otherWindow(page, person)
  await openLive(page, '/notifications')
  await openLive(second, '/about')
  const { error } = await service().from('notifications').insert({
    user_id: person.id,
    type: 'other',
    title: 'A word from us',
    content: 'Nothing to do.',
  })
  expect(error).toBeNull()
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { name: 'A word from us' })).toBeVisible()
  await expect(second.getByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible()
  await main.getByRole('button', { name: 'Mark all as read' }).click()
  await expect(second.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible()
  await second.close()
})

test('BOOK-18 BOOK-19 S-28: a request appears at the owner, and the answer at the customer', async ({
  page,
  person,
}) => {
  const owner = await newPerson('Marc Puig')
  const shop = await bookableShopOf(owner)
  const theirs = await otherWindow(page, owner)
  await openLive(page, '/bookings')
  await openLive(theirs, `/business/${shop.id}/bookings`, 'business-bookings:')
  await expect(theirs.getByText('Nothing waits for you')).toBeVisible()
  await requestBookingAs(shop, person, 5, '11:00')
  const card = page.getByRole('article').filter({ hasText: shop.name })
  await expect(card).toContainText('Pending')
  await theirs.getByRole('button', { name: /^Accept/ }).click()
  await expect(card).toContainText('Confirmed')
  await card.getByRole('button', { name: /Cancel/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: /Cancel/ }).click()
  await expect(theirs.getByText('Nothing waits for you')).toBeVisible()
  await theirs.close()
})

test('BOOK-07 BOOK-09: a time that somebody else takes goes grey, and a visitor who had chosen it is told', async ({
  page,
  checkAccessibility,
}) => {
  const shop = await bookableShopOf(await newPerson('Marc Puig'))
  const date = dayAhead(6)
  await page.goto(`/business/${shop.id}`)
  const chosen = `service=${shop.serviceId}&date=${date}&time=11:00&book=1`
  const joined = page.waitForEvent('websocket').then((socket) =>
    socket.waitForEvent('framereceived', {
      predicate: ({ payload }) => String(payload).includes('slots:'),
    }),
  )
  await page.goto(`/business/${shop.id}?${chosen}`)
  await expect(page.getByRole('radio', { name: '11:00', exact: true })).toBeChecked()
  await joined
  const other = await newPerson('Arnau Puig')
  await requestBookingAs(shop, other, 6, '11:00')
  await expect(page.getByRole('radio', { name: '11:00, taken' })).toBeVisible()
  await expect(page.getByText('Someone took 11:00 a moment ago.')).toBeVisible()
  await expect(page).not.toHaveURL(/time=/)
  await checkAccessibility()
  await page.getByRole('button', { name: `${dayWords(date)}, 12:00` }).press('Enter')
  const noon = page.getByRole('radio', { name: '12:00', exact: true })
  await expect(noon).toBeChecked()
  await expect(noon).toBeFocused()
  await expect(page.getByText('Someone took 11:00 a moment ago.')).toBeHidden()
})

test('BOOK-12: a service that is removed while its times are shown is told', once, async ({ page }) => {
  const shop = await bookableShopOf(await newPerson('Marc Puig'))
  const { data: beard } = await service()
    .from('services')
    .insert({ business_id: shop.id, name: 'Beard', price: 10, duration: 30 })
    .select('id')
    .single()
  await page.goto(`/business/${shop.id}?service=${shop.serviceId}&date=${dayAhead(6)}&book=1`)
  await expect(page.getByRole('radio', { name: '11:00', exact: true })).toBeVisible()
  await service().from('services').delete().eq('id', shop.serviceId)
  // A booking of another service makes the page read the times anew.
  await requestBookingAs({ ...shop, serviceId: beard?.id ?? '' }, await newPerson('Arnau Puig'), 6, '15:00')
  await expect(page.getByRole('alert')).toHaveText('Invalid serviceThe selected service does not exist')
})

test('the numbers of what waits for an admin', async ({
  page,
  person,
}) => {
  await setAdmin(person)
  await openLive(page, '/admin?tab=support', 'admin-queue')
  const tab = page.getByRole('tab', { name: 'Support' })
  await expect(tab).toHaveAttribute('aria-selected', 'true')
  const count = async () => Number(/(\d+) waiting/.exec((await tab.textContent()) ?? '')?.[1] ?? 0)
  const customer = await newPerson('Arnau Puig')
  const waiting = async () => {
    const { count: all, error } = await service()
      .from('support_tickets')
      .select('*', { count: 'exact', head: true })
      .is('answer', null)
    expect(error).toBeNull()
    return all ?? 0
  }
  const ask = async () => {
    const { error } = await customer.client
      .from('support_tickets')
      .insert({ subject: 'A question', message: 'Where can I find my invoices?' })
    expect(error).toBeNull()
    // Other tests ask and answer meanwhile.
    await expect.poll(async () => (await waiting()) - (await count())).toBe(0)
  }
  await ask()
  await ask()
})

test('a lost live connection is shown quietly, and what was missed is fetched', once, async ({
  page,
  person,
  checkAccessibility,
}) => {
  const open: WebSocketRoute[] = []
  let isReachable = true
  await page.routeWebSocket(/\/realtime\/v1\//, (route) => {
    if (!isReachable) return void route.close({ code: 1001 })
    // What the server sends until it has closed its side must not reach the page.
    route.connectToServer().onMessage((message) => {
      if (isReachable) route.send(message)
    })
    open.push(route)
  })
  await page.goto('/notifications')
  const tell = async (title: string) => {
    const { error } = await service()
      .from('notifications')
      .insert({ user_id: person.id, type: 'other', title, content: 'Nothing to do.' })
    expect(error).toBeNull()
  }
  const main = page.getByRole('main')
  // Pushed: so the channel is live.
  await expect.poll(() => open.length).toBe(1)
  await tell('First')
  await expect(main.getByRole('heading', { name: 'First' })).toBeVisible()
  isReachable = false
  for (const route of open) await route.close({ code: 1001 })
  const notice = page.getByText('Live updates are paused.')
  await expect(notice).toBeVisible()
  // Only now, as the list that is fetched for the first one could contain it.
  await tell('Missed')
  await expect(main.getByRole('heading', { name: 'Missed' })).toBeHidden()
  await checkAccessibility()
  isReachable = true
  await expect(main.getByRole('heading', { name: 'Missed' })).toBeVisible()
  await expect(notice).toBeHidden()
})
