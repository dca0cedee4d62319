import type { Page } from '@playwright/test'
import { type BookableShop } from './bookable-shops'
import { expect } from './fixtures'

/** A public screen, and a link on it to a screen in another code file. */
export type PublicScreen = { name: string; path: string }

/** Every kind of public screen; the business is one that can be booked. */
export const publicScreens = (shop: Pick<BookableShop, 'slug'>): PublicScreen[] => [
  { name: 'home', path: '/' },
  { name: 'search', path: '/search?find_loc=Barcelona' },
  { name: 'business', path: `/business/${shop.slug}` },
  { name: 'city', path: '/c/barcelona' },
  { name: 'category', path: '/category/restaurants' },
  { name: 'city-category', path: '/c/barcelona/restaurants' },
  { name: 'auth', path: '/auth' },
]

export const names = ['home', 'search', 'business', 'city', 'category', 'city-category', 'auth'] as const

/** The title of the screen: it stays visible, whatever happens to the connection. */
export const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** The connection banner. */
export const line = (page: Page) => page.getByRole('status').filter({ hasText: /offline|reached|longer|connected/ }).last()

/** Opens a screen and waits until the client has rendered it, and the error UI has been loaded. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await ready(page)
}

export async function ready(page: Page): Promise<void> {
  await expect(page.locator('#first-view')).toHaveCount(0)
  await expect(heading(page)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Message' })).toBeAttached()
}
