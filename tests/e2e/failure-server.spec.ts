import { mkdtemp, rm } from 'node:fs/promises'
import type { BrowserContext, Page } from '@playwright/test'
import { freePort, plaza, started } from '../conformance/server.mjs'
import { disableIncludedData, expect, once, test as base } from './fixtures'
import { heading, line, publicScreens, ready } from './failures'

// A separate server for this file, with the demo data, which is killed and restarted while pages
// are open.

type Server = { url: string; start: () => Promise<void>; kill: () => Promise<void> }

const test = base.extend<object, { server: Server }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs
    async ({}, use) => {
      const folder = await mkdtemp('/tmp/plaza-killed-')
      const [port, database] = [await freePort(), await freePort()]
      const url = `http://127.0.0.1:${port}`
      const settings = {
        PLAZA_PORT: String(port), PLAZA_POSTGRES_PORT: String(database), PLAZA_DATA_DIR: `${folder}/data`, SITE_URL: url,
        PLAZA_OPERATOR_NAME: 'Test SL', PLAZA_OPERATOR_ADDRESS: 'Carrer Major 1, Encamp', PLAZA_OPERATOR_EMAIL: 'hello@plaza.test',
      }
      let running: ReturnType<typeof plaza> | undefined
      const server: Server = {
        url,
        start: async () => {
          running = plaza(['serve'], settings)
          await started(running, `${url}/rest/v1/`)
        },
        kill: async () => {
          running?.process.kill('SIGKILL')
          await running?.ended
        },
      }
      await server.start()
      await use(server)
      running?.process.kill('SIGTERM')
      await running?.ended
      await rm(folder, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})

/** What needs the server on each screen, and where the failure is shown. */
const deeds: Record<string, (page: Page) => Promise<void>> = {
  home: async (page) => {
    await page.getByRole('button', { name: /Cambiar|Change/ }).first().click()
    await page.getByRole('option', { name: /Valencia/ }).click()
    await page.getByRole('heading', { name: 'Top Rated in Valencia' }).scrollIntoViewIfNeeded()
  },
  search: (page) => page.getByRole('link', { name: '2', exact: true }).or(page.getByRole('link', { name: 'Page 2' })).first().click(),
  business: async (page) => {
    await page.getByRole('button', { name: /^Book (?!Now)/ }).first().click()
    await page.getByRole('radiogroup', { name: 'Day' }).getByRole('radio').last().click()
  },
  city: (page) => page.getByRole('main').getByRole('link', { name: /Restaurants/ }).first().click(),
  category: (page) => page.getByRole('link', { name: '2', exact: true }).or(page.getByRole('link', { name: 'Page 2' })).first().click(),
  'city-category': (page) => page.getByRole('complementary').getByRole('link').first().click(),
  auth: async (page) => {
    await page.getByLabel('Email').fill('nobody@plaza.test')
    await page.getByLabel('Password', { exact: true }).fill('Plaza-e2e-1')
    await page.getByRole('tabpanel').getByRole('button', { name: 'Sign In' }).click()
  },
}

async function openAll(context: BrowserContext, server: Server): Promise<{ name: string; page: Page }[]> {
  const found: { slug: string }[] = await (
    await fetch(`${server.url}/rest/v1/businesses?select=slug,services!inner(id)&owner_id=not.is.null&order=id&limit=1`, {
      headers: { apikey: await keyOf(server) },
    })
  ).json()
  const pages: { name: string; page: Page }[] = []
  for (const { name, path } of publicScreens({ slug: found[0]?.slug ?? '' })) {
    const page = await context.newPage()
    // Data included in the page would be shown without a request.
    await disableIncludedData(page)
    await page.goto(`${server.url}${path}`)
    await ready(page)
    pages.push({ name, page })
  }
  return pages
}

/** The public key, which the page contains. */
async function keyOf(server: Server): Promise<string> {
  const page = await (await fetch(server.url)).text()
  return page.match(/name="supabase-anon-key" content="([^"]+)"/)?.[1] ?? ''
}

test('a killed server is reported on each public screen, with a retry, and its recovery is detected', once, async ({ context, server }) => {
  test.setTimeout(300_000) // seven pages, and two server starts
  const pages = await openAll(context, server)
  await server.kill()
  for (const { name, page } of pages) {
    await test.step(name, async () => {
      await page.bringToFront()
      const title = await heading(page).innerText()
      await deeds[name]?.(page)
      const alert = page.getByRole('alert').filter({ hasText: 'Plaza cannot be reached at the moment.' }).first()
      await expect(alert).toBeVisible()
      await expect(line(page)).toContainText('Plaza cannot be reached.')
      await expect(line(page).getByRole('button', { name: 'Try Again' })).toBeVisible()
      if (name !== 'city' && name !== 'city-category') await expect(heading(page)).toHaveText(title)
    })
  }
  await server.start()
  for (const { name, page } of pages) {
    await test.step(`${name}, afterwards`, async () => {
      await page.bringToFront()
      const again = line(page).getByRole('button', { name: 'Try Again' })
      // If the client has recovered by itself, the button is gone.
      if (await again.isVisible()) await again.click({ timeout: 2000 }).catch(() => undefined)
      await expect(line(page).filter({ hasText: 'cannot be reached' })).toHaveCount(0)
      if (name === 'auth') await page.getByRole('tabpanel').getByRole('button', { name: 'Sign In' }).click()
      await expect(page.getByText('Plaza cannot be reached')).toHaveCount(0)
      await expect(heading(page)).toBeVisible()
    })
  }
})
