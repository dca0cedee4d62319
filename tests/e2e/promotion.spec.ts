import { service, tabTo } from './accounts'
import { expectNoOverflow } from './admins'
import { expect, test } from './fixtures'
import { measured, metrics } from './metric-screens'
import { givePlan } from './owners'

test('SUB-07: promoting is a switch for plans that have it, and an offer for others', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const shop = await measured(person, [])
  const stored = async () => {
    const { data } = await service().from('businesses').select('is_promoted').eq('id', shop.id).single()
    return data?.is_promoted
  }
  await page.goto(`${metrics}&view=advertising`)
  const promote = page.getByRole('region', { name: 'Promote this business' })
  await expect(promote).toContainText('the first two places of lists that match them, marked Promoted')
  await expect(promote.getByRole('link', { name: 'See the plans' })).toHaveAttribute('href', '/plans')
  await expect(promote.getByRole('switch')).toHaveCount(0)
  await checkAccessibility()

  await givePlan(person, 'premium')
  await page.reload()
  const toggle = promote.getByRole('switch', { name: 'Promote this business' })
  await tabTo(page, toggle)
  await page.keyboard.press('Space')
  await expect(toggle).toBeChecked()
  await expect(page.getByRole('region', { name: 'Message' })).toContainText('This business is promoted now')
  expect(await stored()).toBe(true)
  await checkAccessibility()
  await expectNoOverflow(page)
  await page.reload()
  await expect(toggle).toBeChecked()
  // It toggles with the next frame; Playwright's own uncheck() checks before that.
  await toggle.click()
  await expect(toggle).not.toBeChecked()
  await expect.poll(stored).toBe(false)

  // The plan ends while the screen is open: the database refuses, and the switch is reset.
  await givePlan(person, 'pro')
  await toggle.click()
  await expect(promote.getByRole('alert')).toContainText('Your plan has no promoted listings')
  await expect(promote.getByRole('link', { name: 'See the plans' })).toBeVisible()
  await expect(toggle).not.toBeChecked()
  expect(await stored()).toBe(false)
  await checkAccessibility()
})
