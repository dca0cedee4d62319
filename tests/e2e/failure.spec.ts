import type { Page, Request } from '@playwright/test'
import { newPassword, signInByForm } from './accounts'
import { bookable } from './bookable-shops'
import { disableIncludedData, expect, newPerson, once, test } from './fixtures'
import { heading, line, names, open, publicScreens, ready } from './failures'

// What public screens show and keep while the network is down or slow, and when the build has
// changed. A killed server, and bookings, have their own files.

const data = /\/(rest\/v1|auth\/v1|functions\/v1)\//

async function pathOf(name: (typeof names)[number]): Promise<string> {
  const shop = name === 'business' ? await bookable() : { slug: '' }
  return publicScreens(shop).find((screen) => screen.name === name)?.path ?? ''
}

/** Follows a link of the footer, which every screen has, to a screen that has not been loaded. */
const toHelp = (page: Page) => page.getByRole('contentinfo').getByRole('link', { name: 'Help', exact: true })

for (const name of names) {
  test(`offline is shown at once on ${name}, loaded content stays, and missing content is reported`, async ({ page, context, checkAccessibility }) => {
    await open(page, await pathOf(name))
    const title = await heading(page).innerText()
    await context.setOffline(true)
    await expect(line(page)).toContainText('You are offline.')
    await expect(heading(page)).toHaveText(title)
    await checkAccessibility()
    await context.setOffline(false)
    await expect(line(page)).toContainText('You are connected again.')
    await context.setOffline(true)
    await toHelp(page).click()
    const alert = page.getByRole('alert')
    await expect(alert).toContainText('This page could not be loaded')
    await expect(alert).toContainText('You are offline.')
    await page.goBack()
    await expect(heading(page)).toHaveText(title)
    await page.goForward()
    await expect(alert).toContainText('You are offline.')
    await context.setOffline(false)
    await expect(heading(page)).toHaveText('Help')
  })

  test(`a missing response is reported on ${name}, and can be cancelled and retried`, once, async ({ page }) => {
    await disableIncludedData(page)
    await page.clock.install()
    const path = await pathOf(name)
    let isHung = true
    let asked = 0
    await page.route(data, (route) => {
      asked += 1
      if (!isHung) return route.continue()
    })
    await page.goto(path)
    await expect.poll(() => asked).toBeGreaterThan(0)
    // From here on a slow machine does not make a request slow.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000))
    await page.clock.runFor(2000) // code that is loaded late
    await expect(async () => {
      await page.clock.runFor(50)
      await expect(page.getByRole('region', { name: 'Message' })).toBeAttached({ timeout: 100 })
    }).toPass()
    await expect(line(page)).toHaveCount(0)
    await page.clock.runFor(10_000)
    await expect(line(page)).toContainText('This takes longer than usual.')
    isHung = false
    await page.clock.resume()
    await line(page).getByRole('button', { name: 'Stop Waiting' }).click()
    await expect(line(page)).toHaveCount(0)
    if (name === 'auth') return // its form does not wait for the list of other sign-in methods
    const failed = page.getByRole('alert').filter({ hasText: 'Plaza takes too long to answer.' })
    await expect(failed.first()).toBeVisible()
    await expect(async () => {
      const again = failed.first().getByRole('button', { name: /Try Again|Reintentar/ })
      if (await again.isVisible()) await again.click()
      await expect(failed).toHaveCount(0, { timeout: 1000 })
    }).toPass()
    await expect(heading(page)).toBeVisible()
  })

  test(`code of an older build is reloaded once from ${name}`, async ({ page }) => {
    await open(page, await pathOf(name))
    let isSwapped = true
    let loads = 0
    page.on('request', (request) => {
      if (!request.isNavigationRequest()) return
      loads += 1
      isSwapped = false
    })
    await page.route('**/assets/*', (route) => (isSwapped ? route.fulfill({ status: 404 }) : route.continue()))
    await toHelp(page).click()
    await expect(heading(page)).toHaveText('Help')
    await expect(page).toHaveURL('/help')
    expect(loads).toBe(1)
    await page.goBack()
    await ready(page)
  })
}

test('the code that is missing from the new build, too, is not loaded for ever', once, async ({ page, checkAccessibility }) => {
  await open(page, '/about')
  let loads = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1
  })
  let missing = ''
  await page.route('**/assets/*.js', (route) => {
    missing ||= route.request().url()
    return route.request().url() === missing ? route.fulfill({ status: 404 }) : route.continue()
  })
  await toHelp(page).click()
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('This page could not be loaded')
  expect(loads).toBe(1)
  await checkAccessibility()
  const refused = page.waitForResponse(missing)
  await alert.getByRole('button', { name: 'Try Again' }).click()
  await refused
  await expect(alert).toContainText('This page could not be loaded')
  expect(loads).toBe(1)
  await page.unrouteAll()
  await alert.getByRole('button', { name: 'Try Again' }).click()
  await expect(heading(page)).toHaveText('Help')
})

test('the server says that a file of another build is not there', once, async ({ request }) => {
  const answer = await request.get('/assets/of-another-build.js')
  expect(answer.status()).toBe(404)
  expect(await answer.text()).not.toContain('<html')
})

test('a screen whose code does not come can be left', once, async ({ page }) => {
  await page.clock.install()
  await page.goto('/about')
  await expect(heading(page)).toBeVisible()
  await page.clock.runFor(2000)
  await expect(page.getByRole('region', { name: 'Message' })).toBeAttached()
  await page.route('**/assets/*.js', () => undefined)
  await toHelp(page).click()
  await expect(page.getByRole('progressbar', { name: 'Loading page' })).toBeAttached()
  await page.clock.runFor(10_000)
  await expect(line(page)).toContainText('This takes longer than usual.')
  await line(page).getByRole('button', { name: 'Stop Waiting' }).click()
  await expect(line(page)).toHaveCount(0)
  await expect(page).toHaveURL('/about')
})

test('a request has a deadline', once, async ({ page }) => {
  await page.clock.install()
  await disableIncludedData(page)
  await page.route('**/rpc/best_businesses*', () => undefined)
  const asked = page.waitForRequest('**/rpc/best_businesses*')
  await page.goto('/search')
  await expect(page.getByText('Loading businesses').or(page.locator('[aria-busy]')).first()).toBeAttached()
  await asked
  await page.clock.runFor(30_000)
  await expect(page.getByRole('alert')).toContainText('Plaza takes too long to answer.')
})

test('leaving a screen aborts its requests', once, async ({ page }) => {
  await disableIncludedData(page)
  const held = new Promise<string>((resolve) => {
    page.on('requestfailed', (request) => {
      if (request.url().includes('best_businesses')) resolve(request.failure()?.errorText ?? '')
    })
  })
  await page.route('**/rpc/best_businesses*', () => undefined)
  const asked = page.waitForRequest('**/rpc/best_businesses*')
  await page.goto('/search')
  await asked
  await toHelp(page).click()
  await expect(heading(page)).toHaveText('Help')
  expect(await held).toBe('net::ERR_ABORTED')
})

test('a read is tried three times in all, within three seconds, and offline once', once, async ({ page, context }) => {
  await page.clock.install()
  await openByClock(page, '/search')
  // On a slow machine the second attempt was made before the first was seen.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000))
  let asked = 0
  let failed = 0
  const isSearch = (request: Request): boolean => request.url().includes('best_businesses')
  page.on('requestfailed', (request) => {
    if (isSearch(request)) failed += 1
  })
  await page.route('**/rest/v1/**', (route) => {
    if (isSearch(route.request())) asked += 1
    return route.abort('connectionrefused')
  })
  await page.getByRole('link', { name: 'Page 2', exact: true }).or(page.getByRole('link', { name: '2', exact: true })).first().click()
  // The client's wait begins when it has seen the failure, not when the request was made.
  await expect.poll(() => failed).toBe(1)
  await page.clock.runFor(400)
  await expect.poll(() => failed).toBe(2)
  await page.clock.runFor(800)
  await expect.poll(() => failed).toBe(3)
  expect(asked).toBe(3)
  await page.clock.resume()
  await expect(page.getByRole('alert')).toContainText('Plaza cannot be reached at the moment.')
  await expect(line(page)).toContainText('Plaza cannot be reached.')
  await context.setOffline(true)
  await page.getByRole('alert').getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByRole('alert')).toContainText('You are offline.')
  const before = asked
  await page.clock.runFor(3000)
  expect(asked).toBe(before)
})

async function openByClock(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expect(page.locator('#first-view')).toHaveCount(0)
  await page.clock.runFor(2000)
  await expect(page.getByRole('region', { name: 'Message' })).toBeAttached()
}

for (const [name, path] of [['home', '/'], ['search', '/search'], ['auth', '/auth']] as const) {
  test(`the page of ${name} says that the client does not come`, async ({ page, checkAccessibility }) => {
    await page.clock.install()
    let isHung = true
    await page.route('**/assets/*.js', (route) => (isHung ? undefined : route.continue()))
    await page.goto(path, { waitUntil: 'commit' })
    await expect(page.locator('#root')).toBeAttached()
    await page.clock.runFor(8000)
    const note = page.getByRole('status').filter({ hasText: 'Plaza is still loading.' })
    await expect(note).toBeVisible()
    if (name === 'home') await checkAccessibility()
    isHung = false
    await note.getByRole('link', { name: 'Reload' }).click()
    await expect(note).toHaveCount(0)
    await expect(page.locator('#first-view')).toHaveCount(0)
    await expect(heading(page)).toBeVisible()
  })
}

test('a press before the client has loaded is handled by the client', once, async ({ page }) => {
  await page.clock.install()
  await page.route('**/assets/*.js', () => undefined)
  await page.goto('/', { waitUntil: 'commit' })
  await page.getByRole('button', { name: 'Categories' }).click()
  await page.clock.runFor(2000)
  await expect(page.getByRole('status').filter({ hasText: 'Plaza is still loading.' })).toBeVisible()
})

test('the first view says that the client could not be loaded', async ({ page }) => {
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.goto('/')
  await expect(page.getByRole('status').filter({ hasText: 'Plaza could not be loaded.' })).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('link', { name: 'Reload' }).click()
  await ready(page)
})

test('ERR-02: signing in offline and without a server shows the same messages, and input is kept', once, async ({ page, context }) => {
  const person = await newPerson()
  await open(page, '/auth')
  await expect(page.getByLabel('Email')).toBeVisible()
  await context.setOffline(true)
  await signInByForm(page, person.email)
  const alert = page.getByRole('tabpanel').getByRole('alert')
  await expect(alert).toContainText('You are offline. Check your connection and try again. What you typed is kept.')
  await expect(page.getByLabel('Email')).toHaveValue(person.email)
  await context.setOffline(false)
  await page.route('**/auth/v1/token*', (route) => route.abort('connectionrefused'), { times: 1 })
  const button = page.getByRole('tabpanel').getByRole('button', { name: 'Sign In' })
  await button.click()
  await expect(alert).toContainText('Plaza cannot be reached at the moment. Please try again. What you typed is kept.')
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(newPassword)
  await button.click()
  await expect(page.getByText('Login Successful')).toBeVisible()
})

test('a session that cannot be renewed holds nothing up', once, async ({ page, person }) => {
  await page.addInitScript(() => {
    const session = JSON.parse(localStorage.getItem('plaza.auth') ?? '{}')
    localStorage.setItem('plaza.auth', JSON.stringify({ ...session, expires_at: 1 }))
  })
  await page.route('**/auth/v1/token*', (route) => route.abort('connectionrefused'))
  // Otherwise the page notices after five seconds that the server is back, and has no button then.
  await page.route('**/favicon.svg', (route) => route.abort('connectionrefused'))
  await page.clock.install()
  await page.goto('/search')
  await page.clock.runFor(3000)
  await expect(page.getByRole('alert')).toContainText('Plaza cannot be reached at the moment.')
  await page.unroute('**/auth/v1/token*')
  await page.getByRole('alert').getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByRole('article').first()).toBeVisible()
  expect(person.id).not.toBe('')
})
