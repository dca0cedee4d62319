import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures'
import type { Shop } from './owners'
import { picture, type pictures } from './pictures'

/** The app's only toast. */
export const toast = (page: Page) => page.getByLabel('Message')
/** The selected files. */
export const tray = (page: Page) => page.getByRole('region', { name: 'Photos to upload' })
/** The existing photos. */
export const cards = (page: Page) =>
  page.getByRole('region', { name: 'Your photos' }).getByRole('listitem')

/** Opens the photos tab of a business's edit screen. */
export async function openPhotos(page: Page, { id }: Shop): Promise<void> {
  await page.goto(`/business/edit/${id}?tab=photos`)
  await expect(page.getByRole('button', { name: 'Choose photos' })).toBeVisible()
}

/** Selects files with the button. */
export async function choose(page: Page, files: ReturnType<typeof pictures>): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose photos' }).click(),
  ])
  await chooser.setFiles(files)
}

/** Selects a file and uploads it. */
export async function uploadOne(
  page: Page,
  file = picture({ name: 'photo-1.png' }),
): Promise<void> {
  await choose(page, [file])
  await page.getByRole('button', { name: 'Upload 1 photo' }).click()
}

/** Deletes a photo, and confirms. */
export async function deletePhoto(page: Page, card: Locator): Promise<void> {
  await fromMenu(page, card, 'Delete photo')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete photo' }).click()
}

/** Chooses an item of a photo's menu. */
export async function fromMenu(page: Page, card: Locator, item: string): Promise<void> {
  await card.getByRole('button', { name: /^More for/ }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** Limits the page's upload rate. */
export async function slowDown(page: Page, bytesPerSecond: number): Promise<void> {
  const network = await page.context().newCDPSession(page)
  await network.send('Network.enable')
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  })
}
