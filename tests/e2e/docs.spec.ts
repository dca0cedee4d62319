import { expect, test } from './fixtures'

test('the documentation is found and read by keyboard', async ({ page, checkAccessibility }) => {
  await page.goto('/docs')
  await checkAccessibility()
  await page.keyboard.press('/')
  await page.keyboard.type('restore verify')
  const results = page.locator('#found').getByRole('link')
  await expect(results.first()).toContainText('Backup and restore')
  await checkAccessibility()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(results.nth(1)).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/docs\/backup/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Backup and restore')
  await page.goto('/docs/production')
  await checkAccessibility()
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
})

test('the navigation opens on a phone, and the theme is kept', async ({
  page,
  viewport,
  checkAccessibility,
}) => {
  await page.goto('/docs')
  const menu = page.getByRole('button', { name: 'Menu' })
  if (viewport && viewport.width < 860) await menu.click()
  else await expect(menu).toBeHidden()
  await page.getByRole('navigation').getByRole('link', { name: 'Installation' }).click()
  await expect(page).toHaveURL('/docs/install')
  await page.getByRole('button', { name: 'Use the dark theme' }).click()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Use the light theme' })).toBeVisible()
  await checkAccessibility()
})

test('the documentation can be searched without scripts', async ({ browser, baseURL }) => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    ...(baseURL && { baseURL }),
  })
  const page = await context.newPage()
  await page.goto('/docs')
  await page.getByRole('searchbox').fill('quotas')
  await page.getByRole('searchbox').press('Enter')
  await page
    .getByRole('main')
    .getByRole('link', { name: /Storage quotas/ })
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Storage quotas')
  await context.close()
})
