import type { Page } from '@playwright/test'
import { setAdmin } from './admins'
import { requestBookingAs, bookableShopOf } from './bookable-shops'
import { enter, expect, newPerson, once, type Person, test } from './fixtures'

/** Paths that are not the client's: the server's own pages, and files. */
const served = /^\/(inbox|rest|auth\/v1|storage|functions)(\/|$)/

/** The language that a path begins with; those without one are in English, but for home. */
const languageOf = (path: string) => /^\/(?:es|ca)(?=\/|$)/.exec(path)?.[0] ?? ''

/** URLs of one screen differ only in what they name; one of them is visited. */
function screenOf({ pathname, searchParams }: URL): string {
  const path = pathname
    .slice(languageOf(pathname).length)
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id')
    .replace(/^\/(c|category)\/[^/]+/, '/$1/:slug')
    .replace(/^\/(c\/:slug)\/[^/]+/, '/$1/:slug')
    .replace(/^\/[^/]+\/[^/]+\/[^/]+\/[^/]+$/, '/:address')
  const tabs = ['tab', 'mode', 'view', 'part'].map((name) => searchParams.get(name))
  return [path, ...tabs.filter((tab) => tab !== null)].join(' ')
}

/** The links of the current screen within its language, once its data is loaded. */
async function linksOf(page: Page): Promise<URL[]> {
  await page.waitForLoadState('networkidle')
  const links = await page
    .locator('a[href]')
    .evaluateAll((all) =>
      all.flatMap((link) => (link instanceof HTMLAnchorElement ? [link.href] : [])),
    )
  const here = new URL(page.url())
  return links
    .map((href) => new URL(href))
    .filter(({ origin, pathname }) => origin === here.origin && !served.test(pathname))
    .filter(({ pathname }) => languageOf(pathname) === languageOf(here.pathname))
}

/** Widths of a window of 1280 pixels that is zoomed to 200 and 400 percent (WCAG 1.4.4, 1.4.10). */
const zoomed = [640, 320]

/**
 * The elements beyond the right edge when the screen is zoomed in, which would require horizontal
 * scrolling.
 */
async function overflowOf(page: Page): Promise<string[]> {
  const size = page.viewportSize() ?? { width: 1440, height: 900 }
  const found: string[] = []
  for (const width of zoomed) {
    await page.setViewportSize({ width, height: size.height })
    found.push(
      ...(await page.evaluate(async () => {
        await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
        const edge = document.documentElement.clientWidth
        if (document.documentElement.scrollWidth <= edge) return []
        return [...document.querySelectorAll('body *')]
          .filter((one) => one.getBoundingClientRect().right > edge + 1)
          .slice(0, 3)
          .map((one) => `${edge}: ${one.tagName} ${one.className} ${one.textContent?.slice(0, 40)}`)
      })),
    )
  }
  await page.setViewportSize(size)
  return found
}

const missing = /Oops! Page not found|No encontramos la página|No trobem la pàgina/

type Walk = { dead: string[]; cut: string[]; screens: number }

/**
 * Follows every link from a home page within its language, one for each screen; returns where each broken link was
 * found, and what is cut off on which screen.
 */
async function walk(page: Page, menus: readonly (string | RegExp)[], home = '/'): Promise<Walk> {
  const dead: string[] = []
  const cut: string[] = []
  const seen = new Set<string>()
  const waiting: { to: URL; from: string }[] = []
  const note = (links: URL[], from: string) => {
    for (const to of links) {
      if (seen.has(screenOf(to))) continue
      seen.add(screenOf(to))
      waiting.push({ to, from })
    }
  }
  await page.goto(home)
  note([new URL(page.url())], '')
  // Menus render their links once they are open.
  for (const menu of menus) {
    const before = (await linksOf(page)).length
    await page.getByRole('banner').getByRole('button', { name: menu }).click()
    await expect.poll(async () => (await linksOf(page)).length).toBeGreaterThan(before)
    note(await linksOf(page), 'a menu')
    await page.keyboard.press('Escape')
  }
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    await page.goto(next.to.href)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    const isMissing = await page.getByText(missing).isVisible()
    if (isMissing) dead.push(`${next.to.pathname}, from ${next.from}`)
    note(await linksOf(page), next.to.pathname)
    for (const what of await overflowOf(page)) cut.push(`${next.to.pathname}${next.to.search} ${what}`)
  }
  return { dead, cut, screens: seen.size }
}

type Role = {
  name: string
  least: number
  become?: (person: Person) => Promise<void>
  /** The home page in the language of the walk. */
  home?: string
  categories?: string
}

const roles: Role[] = [
  { name: 'a visitor', least: 16 },
  { name: 'a visitor in Spanish', least: 16, home: '/es', categories: 'Categorías' },
  { name: 'a visitor in Catalan', least: 16, home: '/ca' },
  { name: 'a buyer', least: 18, become: async () => {} },
  {
    name: 'an owner',
    least: 23,
    become: async (person) => {
      const shop = await bookableShopOf(person)
      await requestBookingAs(shop, await newPerson('Pol Riera'), 3, '11:00')
    },
  },
  { name: 'an admin', least: 22, become: setAdmin },
]

for (const { name, least, become, home, categories = 'Categories' } of roles) {
  test(`no link leads ${name} to a 404, and no screen is cut off when it is zoomed`, once, async ({ page }) => {
    test.slow()
    if (become) {
      const person = await newPerson()
      await become(person)
      await enter(page, person)
    }
    const { dead, cut, screens } = await walk(
      page,
      become ? [/^Account of /, categories] : [categories],
      home,
    )
    expect(dead).toEqual([])
    expect(cut).toEqual([])
    expect(screens).toBeGreaterThanOrEqual(least)
  })
}
