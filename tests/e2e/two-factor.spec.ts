import type { Page } from '@playwright/test'
import { followLink, service, signInByForm } from './accounts'
import { Authenticator } from './authenticator'
import { api, expect, once, type Person, responsesHandled, test } from './fixtures'

const toast = (page: Page) => page.getByLabel('Message')
const codeField = (page: Page) => page.getByLabel('Verification code')

/** Starts the set-up on the page and reads the secret, as a user who types it would. */
async function begin(page: Page): Promise<{ app: Authenticator; secret: string }> {
  await page.getByRole('button', { name: 'Set up two-factor' }).click()
  const shown = page.locator('code').first()
  await expect(shown).toBeVisible()
  const secret = (await shown.innerText()).replaceAll(' ', '')
  return { app: new Authenticator(secret), secret }
}

/** Enables the second factor and returns the backup codes. */
async function turnOn(page: Page) {
  await page.goto('/security?tab=two-factor')
  const { app, secret } = await begin(page)
  await codeField(page).fill(await app.code())
  const list = page.getByRole('list', { name: 'Your backup codes' })
  await expect(list.getByRole('listitem')).toHaveCount(10)
  return { app, secret, backup: await list.getByRole('listitem').allInnerTexts() }
}

async function totpEnabled({ id }: Person): Promise<boolean | undefined> {
  const { data } = await service().from('profiles').select('totp_enabled').eq('id', id).single()
  return data?.totp_enabled
}

test('SEC-05 SEC-06 SEC-07 SEC-08 SEC-09 SEC-10 SEC-11 SEC-14 ERR-66 ERR-67 ERR-68 CONST-21: setting it up', async ({
  page,
  person,
  context,
  checkAccessibility,
}) => {
  const remote: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(test.info().project.use.baseURL ?? '')) remote.push(request.url())
  })
  await page.goto('/security?tab=two-factor')
  await expect(page.getByText('Off', { exact: true })).toBeVisible()
  await checkAccessibility()
  const { app, secret } = await begin(page)
  await expect(toast(page)).toContainText('TOTP secret generated')
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  const picture = page.getByRole('img', { name: 'QR code for your authenticator app' })
  await expect(picture).toBeVisible()
  await expect(picture).toHaveAttribute('src', /^data:image\/svg\+xml,/)
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  expect(
    // blob: is the page's own worker, which sends heartbeats.
    remote.filter((url) => !/^(data|blob):/.test(url)),
    'S-22 FN-15: the secret goes nowhere',
  ).toEqual([])
  const uri = await page.locator('a[href^="otpauth:"]').getAttribute('href')
  const at = new URL(uri ?? '')
  expect(at.searchParams.get('issuer')).toBe('Local Business Directory')
  expect(at.searchParams.get('secret')).toBe(secret)
  expect(at.searchParams.get('algorithm') ?? 'SHA1').toBe('SHA1')
  expect(at.searchParams.get('digits') ?? '6').toBe('6')
  expect(at.searchParams.get('period') ?? '30').toBe('30')
  await expect(codeField(page)).toHaveAttribute('maxlength', '6')
  await checkAccessibility()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy secret' }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret)

  await page.getByRole('button', { name: 'Verify and turn on' }).click()
  await expect(page.getByText('Please enter verification code')).toBeVisible()
  await codeField(page).fill(app.wrong())
  await expect(page.getByText(/^Invalid TOTP code/)).toBeVisible()
  await checkAccessibility()
  expect(await totpEnabled(person)).toBe(false)
  await codeField(page).fill(await app.code())
  await expect(toast(page)).toContainText('TOTP enabled successfully')
  const codes = page.getByRole('list', { name: 'Your backup codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  for (const code of await codes.allInnerTexts()) expect(code).toMatch(/^[A-Z0-9]{8}$/)
  expect(await totpEnabled(person), 'S-23').toBe(true)
  await checkAccessibility()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('plaza-backup-codes.txt')
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await expect(page.getByText('10 of 10 left')).toBeVisible()
  await expect(page.getByText(/last used/)).toBeVisible()
  await page.reload()
  await expect(page.getByText('10 of 10 left')).toBeVisible()
  await expect(codes, 'shown once').toHaveCount(0)
  await checkAccessibility()
})

test('SEC-09: a count of the codes that was read before they were made is not shown', once, async ({
  page,
  person,
}) => {
  expect(person.id).not.toBe('')
  let read = () => {}
  const isRead = new Promise<void>((done) => (read = done))
  const created = page.waitForResponse(
    (response) => response.url().endsWith('/recovery-codes') && response.request().method() === 'POST',
  )
  await page.route('**/auth/v1/factors/recovery-codes', async (route) => {
    if (route.request().method() === 'POST') {
      await isRead
      return route.continue()
    }
    const response = await route.fetch()
    read()
    await (await created).finished()
    await responsesHandled(page)
    await route.fulfill({ response }).catch(() => {}) // the page may have given it up
  })
  const { backup } = await turnOn(page)
  expect(backup).toHaveLength(10)
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await expect(page.getByText('10 of 10 left')).toBeVisible()
})

test('SEC-05: an unfinished set-up is begun again, with another secret', once, async ({
  page,
  person,
}) => {
  expect(person.id).not.toBe('')
  await page.goto('/security?tab=two-factor')
  const first = await begin(page)
  await page.reload()
  await expect(page.getByText('Set-up not finished')).toBeVisible()
  const second = await begin(page)
  expect(second.secret).not.toBe(first.secret)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: 'Set up two-factor' })).toBeVisible()
  await expect(page.getByText('Set-up not finished')).toBeHidden()
})

test('SEC-12 SEC-15 C-11 S-24 ERR-14 ERR-67: signing in asks for a code', async ({
  page,
  person,
  browser,
  checkAccessibility,
}) => {
  const { app } = await turnOn(page)
  const other = await browser.newPage()
  await other.goto('/security?tab=sessions')
  await signInByForm(other, person.email)
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('Two-factor authentication')
  await expect(codeField(other)).toBeFocused()
  await expect(other.getByRole('button', { name: /^Account of/ })).toHaveCount(0)
  // Neither another page nor a reload bypasses it.
  await other.goto('/bookings')
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('Two-factor authentication')
  await codeField(other).fill(app.wrong())
  await expect(other.getByText(/^Invalid TOTP code/)).toBeVisible()
  await codeField(other).fill(await app.code())
  await expect(toast(other)).toContainText('Welcome back!')
  await expect(toast(other)).toContainText('TOTP verified successfully')
  await expect(other).toHaveURL('/bookings')
  await other.goto('/security?tab=sessions')
  await expect(other.getByRole('article')).toHaveCount(2)
  await other.close()
  await page.goto('/security')
  await expect(page.getByText('Two-factor authentication is on')).toBeVisible()
  await checkAccessibility()
})

test('SEC-15 S-24: the link of a mail sets a new password only after the code', once, async ({
  page,
  person,
  browser,
}) => {
  const { app } = await turnOn(page)
  const other = await browser.newPage()
  await other.goto('/auth?mode=forgot')
  await other.getByLabel('Email').fill(person.email)
  await other.getByRole('button', { name: 'Send Link' }).click()
  await expect(other.getByText('Check your email')).toBeVisible()
  await followLink(other, person.email, 'recovery')
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('Two-factor authentication')
  await codeField(other).fill(await app.code())
  await expect(other).toHaveURL('/auth?mode=reset')
  await other.getByLabel('New password', { exact: true }).fill('Another-pass-2')
  await other.getByLabel('Confirm password').fill('Another-pass-2')
  await other.getByRole('button', { name: 'Set Password' }).click()
  await expect(toast(other)).toContainText('Password Updated')
  await other.close()
})

test('S-24: the password alone shows nothing of the account’s security', once, async ({
  page,
  person,
}) => {
  await turnOn(page)
  const half = api()
  await half.auth.signInWithPassword({ email: person.email, password: 'Plaza-e2e-1' })
  for (const table of ['user_sessions', 'user_security_events']) {
    const { data, error } = await half.from(table).select('id')
    expect(error).toBeNull()
    expect(data, table).toEqual([])
  }
})

test('SEC-13 C-12: a backup code signs in once, in any case', once, async ({ page, person, browser }) => {
  const { backup } = await turnOn(page)
  const [code = ''] = backup
  const signIn = async () => {
    const other = await browser.newPage()
    await other.goto('/auth')
    await signInByForm(other, person.email)
    await other.getByRole('button', { name: 'Use a backup code' }).click()
    await other.getByLabel('Backup code').fill(code.toLowerCase())
    await other.getByRole('button', { name: 'Verify' }).click()
    return other
  }
  const first = await signIn()
  await expect(first).toHaveURL('/dashboard')
  await first.goto('/security?tab=two-factor')
  await expect(first.getByText('9 of 10 left')).toBeVisible()
  const second = await signIn()
  await expect(second.getByText(/^Invalid backup code/)).toBeVisible()
  await second.getByRole('button', { name: 'Use another account' }).click()
  await expect(second.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  await first.close()
  await second.close()
})

test('SEC-09: new backup codes end the old ones', once, async ({ page, person, checkAccessibility }) => {
  expect(person.id).not.toBe('')
  const { backup } = await turnOn(page)
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await page.getByRole('button', { name: 'Regenerate' }).click()
  const dialog = page.getByRole('dialog', { name: 'Make new backup codes?' })
  await checkAccessibility()
  await dialog.getByRole('button', { name: 'Regenerate' }).click()
  const fresh = page.getByRole('list', { name: 'Your backup codes' }).getByRole('listitem')
  await expect(fresh).toHaveCount(10)
  expect(await fresh.allInnerTexts()).not.toContain(backup[0])
})

test('SEC-05 S-23 ERR-69: turning it off asks for a code', once, async ({
  page,
  person,
  checkAccessibility,
}) => {
  const { app } = await turnOn(page)
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await page.getByRole('button', { name: 'Turn off' }).click()
  const dialog = page.getByRole('dialog', { name: 'Turn off two-factor authentication?' })
  await expect(dialog.getByLabel('Verification code')).toBeFocused()
  await checkAccessibility()
  await dialog.getByLabel('Verification code').fill(app.wrong())
  await expect(dialog.getByText(/^Invalid TOTP code/)).toBeVisible()
  expect(await totpEnabled(person)).toBe(true)
  await dialog.getByLabel('Verification code').fill(await app.code())
  await expect(toast(page)).toContainText('TOTP disabled successfully')
  await expect(page.getByRole('button', { name: 'Set up two-factor' })).toBeVisible()
  expect(await totpEnabled(person)).toBe(false)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Set up two-factor' })).toBeVisible()
})

test('ERR-66: a secret that could not be made', once, async ({ page, person, checkAccessibility }) => {
  expect(person.id).not.toBe('')
  await page.route('**/auth/v1/factors', (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto('/security?tab=two-factor')
  await page.getByRole('button', { name: 'Set up two-factor' }).click()
  await expect(page.getByRole('alert')).toContainText('Failed to generate TOTP secret')
  await checkAccessibility()
})
