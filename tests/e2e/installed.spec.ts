import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import type { Page } from '@playwright/test'
import { expect, once, test } from './fixtures'

// The installed app: manifest, service worker, updates (UI-07, S-58), measurements (UI-08 to UI-10).

test.use({ serviceWorkers: 'allow' })

/** Waits until the service worker is in charge of the page. */
async function controlled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (navigator.serviceWorker.controller) return
    await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }))
  })
}

const cached = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys()
    const paths = await Promise.all(
      names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)),
    )
    return { names, paths: paths.flat().toSorted() }
  })

/**
 * Starts a server in front of `origin` whose service worker is a later build's after deploy():
 * page.route does not see a worker's own script.
 */
async function deployable(origin: string) {
  let build = ''
  const server = createServer(async (request, response) => {
    const { host: _, ...headers } = request.headers
    const answer = await fetch(`${origin}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      body: request.method === 'POST' ? Readable.toWeb(request) as ReadableStream : null,
      duplex: 'half',
    } as RequestInit)
    let body = Buffer.from(await answer.arrayBuffer())
    if (build !== '' && request.url === '/sw.js') body = Buffer.from(body.toString().replace(/plaza-[0-9a-f]+/, `plaza-${build}`))
    const kept = [...answer.headers].filter(([name]) => !['content-encoding', 'content-length', 'transfer-encoding'].includes(name))
    response.writeHead(answer.status, Object.fromEntries(kept)).end(body)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    deploy: (next: string) => {
      build = next
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

test('the app can be installed: manifest and icons', once, async ({ page, request }) => {
  await page.goto('/')
  const href = await page.locator('link[rel="manifest"]').getAttribute('href')
  const answer = await request.get(href ?? '')
  expect(answer.headers()['content-type']).toBe('application/manifest+json')
  const manifest = await answer.json()
  expect(manifest).toMatchObject({ name: 'Plaza', start_url: '/', display: 'standalone' })
  for (const { src, sizes } of [...manifest.icons, { src: '/apple-touch-icon.png', sizes: '180x180' }]) {
    const icon = await request.get(src)
    expect(icon.status(), src).toBe(200)
    if (!src.endsWith('.png')) continue
    const bytes = await icon.body()
    expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, src).toBe(sizes)
  }
})

test('S-58: without a network the offline page is shown, and the one asked for when there is one again', once, async ({ page, context, person }) => {
  expect(person.id).not.toBe('')
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await controlled(page)
  await context.setOffline(true)
  await page.goto('/about')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('No hay conexión')
  await expect(page.getByText('You are offline')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Try again' })).toBeVisible()
  // Nothing else was kept, above all no answers for the account.
  expect((await cached(page)).paths).toEqual(['/favicon.svg', '/offline.html', '/offline.js'])
  await context.setOffline(false)
  await expect(page).toHaveURL('/about')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('About Plaza')
})

test('UI-07: a new build is offered, and used when the user agrees', async ({ page, baseURL, checkAccessibility }) => {
  await using site = await deployable(baseURL ?? '')
  await page.goto(`${site.address}/about`)
  await controlled(page)
  const before = await cached(page)
  expect(before.names).toHaveLength(1)
  site.deploy('0123456789ab')
  await page.reload()
  const prompt = page.getByRole('region', { name: 'Update' })
  await expect(prompt).toContainText('A new version is available. Refresh to update?')
  await checkAccessibility()
  // It does not come back on this page when it was postponed, and does on the next.
  await prompt.getByRole('button', { name: 'Later' }).click()
  await expect(prompt.getByText('A new version')).toHaveCount(0)
  await page.reload()
  await Promise.all([page.waitForEvent('load'), prompt.getByRole('button', { name: 'Refresh' }).click()])
  await expect.poll(async () => (await cached(page)).names).toEqual(['plaza-0123456789ab'])
  await expect(prompt.getByText('A new version')).toHaveCount(0)
  expect(before.names).not.toContain('plaza-0123456789ab')
})

test('UI-08 UI-09 UI-10: what a visitor waited for is sent when the page is left, by its path', once, async ({ page }) => {
  const sent = page.waitForRequest('**/api/vitals')
  // Headless Chromium is no robot here.
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'userAgent', { get: () => 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0' }),
  )
  const loaded = page.waitForResponse((response) => response.url().includes('/assets/') && response.ok())
  await page.goto('/help')
  await loaded
  await expect(page.getByRole('region', { name: 'Update' })).toBeAttached()
  await page.getByRole('heading', { level: 1 }).click()
  // The browser reports the input after the next frame.
  await page.evaluate(
    () => new Promise<void>((resolve) => new PerformanceObserver(() => resolve()).observe({ type: 'first-input', buffered: true })),
  )
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  })
  const body = JSON.parse((await sent).postData() ?? '')
  expect(body).toMatchObject({ path: '/help', lcp: expect.any(Number), fid: expect.any(Number), cls: expect.any(Number) })
  expect(Object.keys(body).toSorted()).toEqual(['cls', 'fid', 'inp', 'lcp', 'path'].filter((name) => name in body))
})

test('each build has a worker of its own', once, async () => {
  const worker = await readFile(new URL('../../client/dist/sw.js', import.meta.url), 'utf8')
  expect(worker).toMatch(/plaza-[0-9a-f]{12}/)
  expect(worker).not.toContain('__BUILD__')
})
