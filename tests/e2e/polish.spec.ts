import type { Locator, Page } from '@playwright/test'
import { bookable } from './bookable-shops'
import { expect, once, test } from './fixtures'

const isPhone = () => test.info().project.name === 'phone'

/** Reports whether a press in the middle of an element reaches it, and nothing above it. */
function isUncovered(target: Locator): Promise<boolean> {
  return target.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })
}

test('HOME-02 HOME-03: choosing a city leaves the button free, by hand and by keyboard', async ({
  page,
}) => {
  await page.goto('/')
  const where = page.getByRole('combobox', { name: 'Dónde' })
  const submit = page.getByRole('button', { name: 'Buscar' })
  const city = page.getByRole('listbox').getByRole('option', { name: 'Valencia' })
  await where.click()
  await expect(city).toBeVisible()
  expect(await isUncovered(submit)).toBe(true)
  await expect(submit).toBeInViewport()
  await city.click()
  await submit.click()
  await expect(page).toHaveURL('/search?find_loc=Valencia')

  await page.goto('/')
  await where.focus()
  await where.press('ArrowDown')
  const first = await page.getByRole('option', { selected: true }).innerText()
  await where.press('Enter')
  await expect(where).toHaveValue(first.split('\n')[0] ?? '')
  await where.press('Tab')
  await expect(submit).toBeFocused()
  await submit.press('Enter')
  await expect(page).toHaveURL(/\/search\?find_loc=/)
})

/** Makes the stored session expired, so that the next use must refresh it. */
function age(page: Page): Promise<void> {
  return page.evaluate(() => {
    const session = JSON.parse(localStorage.getItem('plaza.auth') ?? '{}')
    localStorage.setItem('plaza.auth', JSON.stringify({ ...session, expires_at: 1 }))
  })
}

test('AUTH-23 ERR-32 ERR-35: a session that cannot be renewed ends with the words for it', once, async ({
  page,
  person,
}) => {
  const expired = 'Your session has expired. Please sign in again.'
  const message = page.getByRole('region', { name: 'Message' })
  await page.goto('/bookings')
  await expect(page.getByRole('heading', { level: 1, name: 'My Bookings' })).toBeVisible()
  await person.client.auth.signOut({ scope: 'global' })
  await age(page)
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await expect(page).toHaveURL('/auth')
  await expect(page.getByRole('main').getByRole('status').first()).toHaveText(
    'Session expiredPlease log in again',
  )
  await expect(message).toContainText('Session expired')
  await expect(message).toContainText(expired)
  await expect(page.getByText('Authentication required')).toHaveCount(0)
})

test('AUTH-23: signing out in one tab is not told as a loss in another', once, async ({
  page,
  person: _person,
  context,
}) => {
  const account = (tab: Page) => tab.getByRole('button', { name: /^Account of/ })
  const other = await context.newPage()
  for (const tab of [page, other]) {
    await tab.goto('/about')
    await expect(account(tab)).toBeVisible()
  }
  // A toast disappears by itself, so everything shown is recorded.
  await other.evaluate(() => {
    const note = () => {
      if (document.body.innerText.includes('expired')) document.title = 'told as expired'
    }
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true })
  })
  await account(page).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
  await expect(other.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible()
  await other.evaluate(() => new Promise((painted) => requestAnimationFrame(painted)))
  expect(await other.title()).not.toBe('told as expired')
})

test('AUTH-23 ERR-35: a session that expired while away is reported on the current page', once, async ({
  page,
  person,
}) => {
  await page.goto('/about')
  await expect(page.getByRole('button', { name: /^Account of/ })).toBeVisible()
  // Requests still running would be refused and reported before the page is left.
  await page.waitForLoadState('networkidle')
  await person.client.auth.signOut({ scope: 'global' })
  await age(page)
  await page.reload()
  await expect(page.getByRole('region', { name: 'Message' })).toContainText(
    'Your session has expired. Please sign in again.',
  )
  await expect(page).toHaveURL('/about')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible()
})

test('BOOK-01 BOOK-02: a closed booking sheet leaves nothing behind in the history', async ({
  page,
}) => {
  test.skip(!isPhone(), 'only phones have the sheet')
  const { slug, serviceId, serviceName } = await bookable()
  const sheet = page.getByRole('dialog')
  const bar = page.locator('aside').getByRole('button').last()
  await page.goto('/about')
  await page.goto(`/business/${slug}`)
  await bar.click()
  await sheet.getByLabel('Service', { exact: true }).selectOption(serviceId)
  await sheet.getByRole('button', { name: 'Close' }).click()
  await expect(sheet).toBeHidden()
  await expect(page).toHaveURL(`/business/${slug}?service=${serviceId}`)
  await expect(page.locator('aside').getByText(serviceName).first()).toBeVisible()

  await bar.click()
  await expect(sheet).toBeVisible()
  await page.goBack()
  await expect(sheet).toBeHidden()
  await expect(page).toHaveURL(`/business/${slug}?service=${serviceId}`)
  await page.goBack()
  await expect(page).toHaveURL('/about')
})
