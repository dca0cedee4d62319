import type { Page } from '@playwright/test'
import { smsCode } from './accounts'
import { expect, once, test } from './fixtures'

const toast = (page: Page) => page.getByLabel('Message')

/** Returns an unused Spanish mobile number. */
function newPhone(): string {
  return `6${String(crypto.getRandomValues(new Uint32Array(1))[0])
    .padStart(10, '0')
    .slice(-8)}`
}

async function askForCode(page: Page, phone: string) {
  await page.getByLabel('Phone number').fill(phone)
  await page.getByRole('button', { name: 'Send Code' }).click()
  await expect(toast(page)).toContainText('Verification Code Sent')
  await expect(page).toHaveURL('/auth?mode=phone-code')
}

test('AUTH-03 AUTH-04 AUTH-08 ERR-08 ERR-16 RULE-07: signing in by the code of an SMS', async ({
  page,
  checkAccessibility,
}) => {
  const phone = newPhone()
  await page.goto('/auth')
  await page.getByRole('link', { name: 'Use a phone code instead' }).click()
  await expect(page).toHaveURL('/auth?mode=phone')
  await checkAccessibility()
  const field = page.getByLabel('Phone number')
  await expect(field).toHaveAttribute('autocomplete', 'tel')
  await field.fill('12')
  await field.press('Enter')
  await expect(page.getByText('Please enter a valid phone number')).toBeVisible()
  await checkAccessibility()
  await askForCode(page, `${phone.slice(0, 3)} ${phone.slice(3)}`)
  await expect(page.getByText(`We sent a code to +34${phone}.`)).toBeVisible()
  await expect(page.getByRole('button', { name: /Send again in \d+ s/ })).toBeDisabled()
  await checkAccessibility()
  const code = await smsCode(`34${phone}`)
  const input = page.getByLabel('Code from the SMS')
  await expect(input).toHaveAttribute('autocomplete', 'one-time-code')
  await input.fill(code === '000000' ? '111111' : '000000')
  await expect(
    page.getByText('Verification Failed: Invalid verification code. Please try again.'),
  ).toBeVisible()
  await checkAccessibility()
  await input.fill(code)
  await expect(toast(page)).toContainText('Phone Verified!')
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/profile')
  await expect(page.getByLabel('Phone')).toHaveValue(`+34${phone}`)
  await page.goto('/profile?tab=account')
  await expect(page.getByText('there is no password to change')).toBeVisible()
  await checkAccessibility()
})

test('AUTH-03: the interrupted page opens after the code; another number can be used', once, async ({
  page,
}) => {
  const phone = newPhone()
  await page.goto('/notifications')
  await expect(page).toHaveURL('/auth')
  await page.getByRole('link', { name: 'Use a phone code instead' }).click()
  await askForCode(page, newPhone())
  await page.getByRole('link', { name: 'Use another number' }).click()
  await askForCode(page, phone)
  await page.getByLabel('Code from the SMS').fill(await smsCode(`34${phone}`))
  await expect(page).toHaveURL('/notifications')
})

test('ERR-07: a code that could not be sent', once, async ({ page, checkAccessibility }) => {
  await page.route('**/auth/v1/otp*', (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto('/auth?mode=phone')
  await page.getByLabel('Phone number').fill('600123456')
  await page.getByRole('button', { name: 'Send Code' }).click()
  await expect(page.getByRole('alert')).toContainText('Phone Sign In Error')
  await checkAccessibility()
  await page.unroute('**/auth/v1/otp*')
  await page.route('**/auth/v1/otp*', (route) =>
    route.fulfill({ status: 429, json: { error_code: 'over_sms_send_rate_limit', msg: 'x' } }),
  )
  await page.getByRole('button', { name: 'Send Code' }).click()
  await expect(page.getByRole('alert')).toContainText('Phone Sign In Failed')
  await expect(page.getByLabel('Phone number')).toHaveValue('600123456')
})
