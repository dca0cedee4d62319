import type { Page } from '@playwright/test'
import {
  followLink,
  mailedCode,
  mailedLink,
  newEmail,
  newPassword,
  service,
  signInByForm,
  signUpByForm,
} from './accounts'
import { expect, newPerson, once, test } from './fixtures'

const toast = (page: Page) => page.getByLabel('Message')

test('ROUTE-02 AUTH-01 AUTH-02: two tabs in the address, and the way back home', async ({
  page,
  checkAccessibility,
}) => {
  await page.goto('/auth')
  await expect(page.getByRole('tab')).toHaveText(['Sign In', 'Sign Up'])
  await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username')
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute(
    'autocomplete',
    'current-password',
  )
  await expect(page.getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/')
  await checkAccessibility()
  await page.getByLabel('Email').fill('ona@plaza.test')
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await expect(page).toHaveURL('/auth?mode=register')
  await expect(page.getByLabel('Full name')).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue('ona@plaza.test')
  await expect(page.getByLabel('Confirm password')).toBeVisible()
  await checkAccessibility()
  await page.goBack()
  await expect(page).toHaveURL('/auth')
  await expect(page.getByLabel('Full name')).toBeHidden()
})

test('RULE-01 to RULE-05, ERR-11: all errors are shown at their fields', async ({
  page,
  checkAccessibility,
}) => {
  await page.goto('/auth?mode=register')
  await page.getByLabel('Email').fill('ona+x@plaza.test')
  await page.getByLabel('Password', { exact: true }).fill('abc')
  await page.getByLabel('Confirm password').fill('abd')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByText('Plus signs not allowed in email')).toBeVisible()
  await expect(page.getByText('Password must be at least 8 characters')).toBeVisible()
  await expect(page.getByText('Passwords do not match').first()).toBeVisible()
  await expect(toast(page)).toContainText('Password Mismatch')
  await checkAccessibility()
  await page.getByLabel('Password', { exact: true }).fill('alllowercase')
  await expect(
    page.getByText(
      'Password must contain at least one lowercase letter, one uppercase letter, and one number',
    ),
  ).toBeVisible()
  await expect(page.getByRole('list', { name: 'Your password needs' })).toContainText(
    'One lowercase letter: met',
  )
})

test('AUTH-06 ERR-15 ERR-18 ERR-08 ERR-14: sign-up, a wrong code, the right code', async ({
  page,
  checkAccessibility,
}) => {
  const email = newEmail('code')
  await page.goto('/auth?mode=register')
  await signUpByForm(page, email, '<b>Ona</b> Vidal')
  await expect(toast(page)).toContainText('Account Created!')
  await expect(toast(page)).toContainText('Please check your email to verify your account.')
  await expect(page).toHaveURL('/auth?mode=confirm')
  await expect(page.getByRole('status').filter({ hasText: 'Sign Up Successful' })).toContainText(
    'Please check your email to verify your account',
  )
  const code = await mailedCode(email, 'confirmation')
  const field = page.getByLabel('Code from the email')
  await expect(field).toHaveAttribute('autocomplete', 'one-time-code')
  await field.fill(code === '000000' ? '111111' : '000000')
  await expect(
    page.getByText('Verification Failed: Invalid verification code. Please try again.'),
  ).toBeVisible()
  await checkAccessibility()
  await field.fill(`${code.slice(0, 3)} ${code.slice(3)}`)
  await expect(page).toHaveURL('/dashboard')
  const account = page.getByRole('button', { name: 'Account of Ona Vidal' })
  await expect(account, 'RULE-06').toBeVisible()
})

test('AUTH-06: the form is empty again after sign-up', once, async ({ page }) => {
  await page.goto('/auth?mode=register')
  await signUpByForm(page, newEmail('empty'))
  await expect(page).toHaveURL('/auth?mode=confirm')
  await page.goBack()
  await expect(page.getByLabel('Full name')).toHaveValue('')
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('')
})

test('ERR-01 ERR-17 AUTH-04 AUTH-05 AUTH-09 AUTH-18 AUTH-25: a wrong password, the right one, and out again', async ({
  page,
  checkAccessibility,
}) => {
  const { email, id } = await newPerson()
  await page.goto('/auth')
  await signInByForm(page, email, 'Wrong-password-1')
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('Sign In Failed')
  await expect(alert).toContainText('Invalid email or password. Please try again.')
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await checkAccessibility()
  await signInByForm(page, email)
  await expect(toast(page)).toContainText('Login Successful')
  await expect(toast(page)).toContainText('Welcome back!')
  await expect(page).toHaveURL('/dashboard')
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).sort()))
    .toEqual(expect.arrayContaining(['plaza.auth', 'plaza.session-token']))

  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(toast(page), 'ERR-16').toContainText('Signed Out')
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('plaza.session-token')))
    .toBeNull()
  // The person's other session, created by the test, continues.
  await expect
    .poll(async () => {
      const { data } = await service().from('user_sessions').select('is_active').eq('user_id', id)
      return data?.map((row) => row.is_active).sort()
    })
    .toEqual([false, true])
})

test('AUTH-10 AUTH-11 ERR-12 ERR-64: five wrong passwords lock; the right one is refused with the banner', once, async ({
  page,
  checkAccessibility,
}) => {
  const { client, email } = await newPerson()
  for (let attempt = 0; attempt < 5; attempt++) {
    await client.auth.signInWithPassword({ email, password: 'Wrong-password-1' })
  }
  await page.goto('/auth')
  await signInByForm(page, email)
  await expect(page.getByRole('alert')).toContainText(
    'Your account is temporarily locked due to multiple failed login attempts. Please try again later.',
  )
  await expect(toast(page)).toContainText(
    'Account is temporarily locked due to multiple failed login attempts',
  )
  await checkAccessibility()
})

test('an unconfirmed address is reported and gets a new mail', once, async ({ page }) => {
  const email = newEmail('late')
  await page.goto('/auth?mode=register')
  await signUpByForm(page, email)
  await expect(page).toHaveURL('/auth?mode=confirm')
  await page.goto('/auth')
  await signInByForm(page, email)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Confirm your email address')
  const first = await mailedLink(email, 'confirmation')
  await page.getByRole('button', { name: 'Send again' }).click()
  await expect(page.getByText('Sent. It can take a minute')).toBeVisible()
  await expect(page.getByRole('button', { name: /Send again in \d+ s/ })).toBeDisabled()
  // It arrives after the response, and the first link no longer works.
  await expect.poll(() => mailedLink(email, 'confirmation')).not.toBe(first)
  await followLink(page, email, 'confirmation')
  await expect(toast(page), 'AUTH-14').toContainText('Welcome!')
})

test('ERR-65: a forgotten password is replaced by the link of a mail', once, async ({
  page,
  checkAccessibility,
}) => {
  const { email } = await newPerson()
  await page.goto('/auth')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expect(page.getByRole('heading', { name: 'Forgotten password' })).toBeVisible()
  await expect(page.getByLabel('Email'), 'who types on types here').toBeFocused()
  await page.keyboard.type(email)
  await page.getByRole('button', { name: 'Send Link' }).click()
  await expect(page.getByText('Check your email')).toBeVisible()
  await checkAccessibility()
  await followLink(page, email, 'recovery')
  await expect(page).toHaveURL('/auth?mode=reset')
  await page.getByLabel('New password', { exact: true }).fill(newPassword)
  await page.getByLabel('Confirm password').fill(newPassword)
  await page.getByRole('button', { name: 'Set Password' }).click()
  await expect(page.getByText('The new password must differ from the old one')).toBeVisible()
  await checkAccessibility()
  await page.getByLabel('New password', { exact: true }).fill('Another-pass-2')
  await page.getByLabel('Confirm password').fill('Another-pass-2')
  await page.getByRole('button', { name: 'Set Password' }).click()
  await expect(toast(page)).toContainText('Password Updated')
  await expect(page).toHaveURL('/dashboard')
})

test('a confirmation that is opened in another browser says that it has worked', once, async ({ page, browser }) => {
  const email = newEmail('elsewhere')
  await page.goto('/auth?mode=register')
  await signUpByForm(page, email)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const other = await browser.newPage({ baseURL: test.info().project.use.baseURL ?? '' })
  await followLink(other, email, 'confirmation')
  await expect(other).toHaveURL('/auth')
  await expect(other.getByRole('main')).toContainText('Your address is confirmed')
  await expect(other.getByText('Authentication Failed')).toHaveCount(0)
  await signInByForm(other, email)
  await expect(other).toHaveURL('/dashboard')
  await other.close()
})

test('ROUTE-05 AUTH-13 AUTH-15 ERR-13 ERR-19: a return without a good code leads to sign-in and says why', once, async ({
  page,
}) => {
  await page.goto('/auth/callback?code=no-such-code')
  await expect(page).toHaveURL('/auth')
  await expect(page.getByRole('tabpanel')).toBeVisible()
  await expect(page.getByText('Authentication Failed').first()).toBeVisible()
  await page.goto('/auth/callback')
  await expect(page).toHaveURL('/auth')
  await expect(page.getByText('Authentication Error').first()).toBeVisible()
  await expect(page.getByText('Failed to sign in').first()).toBeVisible()
})

test('ROUTE-03 PERM-03 PERM-04: a guarded page asks for sign-in and comes back', async ({
  page,
}) => {
  const { email } = await newPerson()
  await page.goto('/notifications')
  await expect(page).toHaveURL('/auth')
  await expect(page.getByText('Authentication required').first()).toBeVisible()
  await expect(page.getByText('Please log in to access this page').first()).toBeVisible()
  await signInByForm(page, email)
  await expect(page).toHaveURL('/notifications')
})

test('S-01 ROUTE-04: signing up as an owner is a wish; the role stays user', async ({ page }) => {
  const email = newEmail('owner')
  await page.goto('/auth?mode=register&role=owner')
  await expect(page.getByText('Sign up to list your business')).toBeVisible()
  await signUpByForm(page, email)
  await page.getByLabel('Code from the email').fill(await mailedCode(email, 'confirmation'))
  await expect(page.getByRole('button', { name: /^Account of/ })).toBeVisible()
  const id = await page.evaluate(() => JSON.parse(localStorage.getItem('plaza.auth') ?? '').user.id)
  const { data: profile } = await service().from('profiles').select('role').eq('id', id).single()
  expect(profile?.role).toBe('user')
})

test('ERR-05: signing out that the server does not hear of says so; this device is signed out', once, async ({
  page,
}) => {
  const { email } = await newPerson()
  await page.goto('/auth')
  await signInByForm(page, email)
  await expect(page).toHaveURL('/dashboard')
  await page.route('**/auth/v1/logout*', (route) => route.fulfill({ status: 500, json: {} }))
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(toast(page)).toContainText('Sign Out Error')
  await expect(toast(page)).toContainText('Unable to sign out. Please try again.')
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
})

test('RULE-01 ERR-02 ERR-03 ERR-04 ERR-09: server failures are distinguished from refusals', once, async ({
  page,
}) => {
  const alert = page.getByRole('alert')
  const answerNext = (path: string, status: number, code: string) =>
    page.route(
      `**/auth/v1/${path}`,
      (route) => route.fulfill({ status, json: { error_code: code, msg: 'raw words' } }),
      { times: 1 },
    )
  const email = newEmail('failures')
  await page.goto('/auth?mode=register')
  await answerNext('signup*', 500, 'unexpected_failure')
  await signUpByForm(page, `  ${email.toUpperCase()} `)
  await expect(alert).toContainText('Sign Up Error')
  await expect(alert).toContainText('Unable to create account. Please try again later.')
  const create = page.getByRole('button', { name: 'Create Account' })
  for (const [status, code, words] of [
    [429, 'over_email_send_rate_limit', 'Too many attempts. Wait a minute and try again.'],
    [422, 'signup_disabled', 'New accounts are closed at the moment.'],
  ] as const) {
    await answerNext('signup*', status, code)
    await create.click()
    await expect(alert).toHaveText(`Sign Up Failed${words}`)
  }
  await answerNext('signup*', 422, 'weak_password')
  await create.click()
  await expect(toast(page)).toContainText('Sign Up Failed')
  await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(
    /This password is too easy to guess/,
  )
  await expect(page.getByText('raw words')).toHaveCount(0)

  const sent = page.waitForRequest('**/auth/v1/signup*')
  await create.click()
  expect((await sent).postDataJSON()).toMatchObject({ email })
  await expect(page).toHaveURL('/auth?mode=confirm')
  await answerNext('verify*', 500, 'unexpected_failure')
  await page.getByLabel('Code from the email').fill('123456')
  await expect(
    page.getByText('Verification Error: The code could not be checked. Please try again.'),
  ).toBeVisible()

  await page.goto('/auth')
  await answerNext('token*', 500, 'unexpected_failure')
  await signInByForm(page, email)
  await expect(alert).toContainText('Sign In Error')
  await expect(alert).toContainText('Unable to sign in. Please try again later.')
})
