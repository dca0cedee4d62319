import type { Page } from '@playwright/test'

/** Presses an export button, selects a file, and returns its name and path. */
export async function download(page: Page, button: string, file: string) {
  await page.getByRole('button', { name: button }).click()
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: file }).click(),
  ])
  return { name: saved.suggestedFilename(), path: await saved.path() }
}
