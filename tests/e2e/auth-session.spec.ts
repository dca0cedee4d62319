import type { Page } from '@playwright/test'
import { service, signInByForm } from './accounts'
import { expect, newPerson, once, test } from './fixtures'

/** The token with which the page reports that it is left; null until the server has issued it. */
function sessionToken(page: Page): Promise<string | null> {
  return page.evaluate(() => localStorage.getItem('plaza.session-token'))
}

test('AUTH-20 AUTH-21 AUTH-22 AUTH-23 ERR-36: a warning, staying, and the end of a session', once, async ({
  page,
  checkAccessibility,
}) => {
  const { email, id } = await newPerson()
  await page.clock.install()
  await page.goto('/auth')
  await signInByForm(page, email)
  await expect(page).toHaveURL('/dashboard')
  await expect.poll(() => sessionToken(page)).not.toBeNull()
  const pageNow = () => page.evaluate(() => Date.now())
  // Again until it shows: activity that was being recorded would overwrite the time.
  const idleUntil = (minutes: number, shown: () => Promise<void>) =>
    expect(async () => {
      const { error } = await service()
        .from('user_sessions')
        .update({ last_activity_at: new Date((await pageNow()) - minutes * 60_000).toISOString() })
        .eq('user_id', id)
      expect(error).toBeNull()
      await page.clock.fastForward(61_000)
      await shown()
    }).toPass()
  const warning = page.getByText('Your session will expire soon. Please save your work.')
  await idleUntil(476, () => expect(warning).toBeVisible({ timeout: 2000 }))
  await checkAccessibility()
  await page.getByRole('button', { name: 'Stay signed in' }).click()
  await expect(warning).toBeHidden()
  await idleUntil(481, () => expect(page).toHaveURL('/auth', { timeout: 2000 }))
  await expect(
    page.getByText('Your session has timed out. Please sign in again.').first(),
  ).toBeVisible()
  await signInByForm(page, email)
  await expect(page, 'what was interrupted opens again').toHaveURL('/dashboard')
})

test('AUTH-24 S-19: leaving a page is reported to the server; coming back revokes it', once, async ({
  page,
}) => {
  const { email, id } = await newPerson()
  const isClosing = async () => {
    const { data } = await service()
      .from('user_sessions')
      .select('closing_at')
      .eq('user_id', id)
      .not('session_token', 'is', null)
    return data?.map((row) => row.closing_at !== null)
  }
  await page.goto('/auth')
  await signInByForm(page, email)
  await expect(page).toHaveURL('/dashboard')
  await expect.poll(isClosing).toEqual([false])
  // Only with its token can the page report that it is left.
  await expect.poll(() => sessionToken(page)).not.toBeNull()
  await page.goto('about:blank')
  await expect.poll(isClosing).toEqual([true])
  await page.goto('/bookings')
  await expect.poll(isClosing).toEqual([false])
})

test('AUTH-19 CONST-01: activity is noted once a minute', once, async ({ page }) => {
  const { email } = await newPerson()
  await page.clock.install()
  await page.goto('/auth')
  await signInByForm(page, email)
  await expect(page).toHaveURL('/dashboard')
  await expect.poll(() => sessionToken(page)).not.toBeNull()
  let notes = 0
  await page.route('**/rpc/touch_session*', (route) => {
    notes++
    return route.continue()
  })
  const act = async () => {
    const heading = page.getByRole('heading', { level: 1 })
    await heading.click()
    await heading.click()
    await page.keyboard.press('Shift')
  }
  // The click that signed in may have been this minute's recorded activity.
  await page.clock.fastForward(60_000)
  const first = page.waitForResponse(/\/rpc\/touch_session/)
  await act()
  await first
  await page.clock.fastForward(40_000)
  await act()
  expect(notes).toBe(1)
  await page.clock.fastForward(20_000)
  const second = page.waitForResponse(/\/rpc\/touch_session/)
  await act()
  await second
  expect(notes).toBe(2)
})
