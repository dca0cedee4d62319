import type { Page } from '@playwright/test'
import { signInByForm } from './accounts'
import { expect, once, test } from './fixtures'
import { makeSeller, provider } from './owners'

const card = (page: Page, plan: string) => page.getByRole('article', { name: plan, exact: true })

test('SUB-01 SUB-02 SUB-03 SUB-04 SUB-05 SUB-06: an owner subscribes, has a payment fail, and cancels', once, async ({
  page,
  person,
  checkAccessibility,
}) => {
  await makeSeller(person)
  await page.goto('/plans')
  await expect(page.getByRole('article')).toHaveCount(3)
  expect(await page.getByRole('article').getByRole('heading').allInnerTexts()).toEqual([
    'Free',
    'Pro',
    'Premium',
  ])
  await expect(page.getByText('You have the Free plan.')).toBeVisible()
  await expect(card(page, 'Free').getByText('Your plan')).toBeVisible()
  await checkAccessibility()
  await page.getByText('Yearly', { exact: true }).click()
  await expect(card(page, 'Pro')).toContainText('$190.00')
  await expect(card(page, 'Pro')).toContainText('$38.00 less than paying monthly')
  await page.getByText('Monthly', { exact: true }).click()

  const checkout = await provider(page, 'Choose Pro')
  expect(await checkout.evaluate(() => window.opener)).toBeNull()
  await expect(checkout.getByText('19.00 USD a month').first()).toBeVisible()
  await checkout.getByRole('button', { name: 'card that is declined' }).click()
  await expect(checkout.getByRole('alert')).toHaveText('Your card was declined. Nothing was paid.')
  await checkout.getByRole('button', { name: /^Pay \d/ }).click()
  await expect(checkout).toHaveURL('/plans?checkout=done')
  await expect(checkout.getByText('Welcome to Pro')).toBeVisible()
  await expect(card(checkout, 'Pro').getByText('Your plan')).toBeVisible()
  await checkout.close()
  // The page where the checkout started updates by itself.
  await page.bringToFront()
  await expect(card(page, 'Pro').getByText('Your plan')).toBeVisible({ timeout: 40_000 })
  await expect(page.getByText(/^You have Pro, paid until/)).toBeVisible()
  await checkAccessibility()

  const portal = await provider(page, 'Manage billing')
  await portal.getByRole('button', { name: 'Let the next payment fail' }).click()
  await expect(portal.getByText('payment failed')).toBeVisible()
  await portal.getByRole('button', { name: 'Pay now' }).click()
  await portal.getByRole('button', { name: 'Cancel subscription' }).click()
  await expect(portal.getByText('Ends on')).toBeVisible()
  await portal.getByRole('button', { name: 'Let the next payment day come' }).click()
  await expect(portal.getByText('ended', { exact: true })).toBeVisible()
  await portal.getByRole('link', { name: 'Back to the app' }).click()
  await expect(portal).toHaveURL('/plans')
  await expect(portal.getByText('You have the Free plan.')).toBeVisible()
})

test('SUB-05: a checkout that was cancelled changes nothing', once, async ({ page, person }) => {
  await makeSeller(person)
  await page.goto('/plans')
  const checkout = await provider(page, 'Choose Premium')
  await checkout.getByRole('button', { name: 'Cancel and go back' }).click()
  await expect(checkout.getByText('Checkout was cancelled')).toBeVisible()
  await expect(card(checkout, 'Free').getByText('Your plan')).toBeVisible()
})

test('SUB-01: visitors see plans, and are led to where they can choose one', async ({ page }) => {
  await page.goto('/plans')
  await card(page, 'Pro').getByRole('link', { name: 'Sign in to choose' }).click()
  await expect(page).toHaveURL('/auth')
})

test('SUB-01: a buyer is led to becoming a seller', async ({
  page,
  person,
  checkAccessibility,
}) => {
  expect(person.id).not.toBe('')
  await page.goto('/plans')
  await expect(
    card(page, 'Pro').getByRole('link', { name: 'List a business to choose' }),
  ).toHaveAttribute('href', '/become-seller')
  await checkAccessibility()
})

test('ERR-20: a page that cannot be opened is reported', once, async ({ page, person, checkAccessibility }) => {
  await makeSeller(person)
  await page.route('**/functions/v1/create-checkout', (route) =>
    route.fulfill({ status: 502, json: { code: 'payment_provider_failed', message: 'no' } }),
  )
  await page.goto('/plans')
  await page.getByRole('button', { name: 'Choose Pro' }).click()
  await expect(page.getByLabel('Message')).toContainText('Failed to start upgrade process')
  await checkAccessibility()
  await page.route('**/functions/v1/check-subscription', (route) =>
    route.fulfill({ status: 500, json: { code: 'function_failed', message: 'no' } }),
  )
  await page.reload()
  await expect(page.getByRole('alert')).toContainText('Failed to check subscription status')
})

test('SUB-06: a seller of the demo data manages the subscription', once, async ({ page }) => {
  await page.goto('/auth')
  await signInByForm(page, 'owner@plaza.test', 'Plaza-demo-1')
  await expect(page).not.toHaveURL(/\/auth/)
  await page.goto('/plans')
  const portal = await provider(page, 'Manage billing')
  await expect(portal.getByRole('region', { name: 'Premium' })).toContainText('Renews on')
})
