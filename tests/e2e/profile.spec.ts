import { service, signInByForm } from './accounts'
import { expect, hold, newPerson, once, test } from './fixtures'

const password = 'Plaza-e2e-1'
const toast = (page: import('@playwright/test').Page) => page.getByLabel('Message')

test('ROUTE-25 PROFILE-01 PROFILE-09 PROFILE-10: four tabs, in the address, from the account menu', async ({
  page,
  person,
  checkAccessibility,
}) => {
  expect(person.id).not.toBe('')
  await page.goto('/')
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await expect(page).toHaveURL('/profile')
  const tabs = page.getByRole('tab')
  await expect(tabs).toHaveText(['Profile', 'Account', 'Notifications', 'Security'])
  await page.getByRole('tab', { name: 'Profile' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL('/profile?tab=account')
  await expect(page.getByLabel('Current password')).toBeVisible()
  await checkAccessibility()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByText('coming soon')).toBeVisible()
  await expect(page.getByRole('switch', { name: 'Reminders' })).toBeChecked()
  await checkAccessibility()
  await page.keyboard.press('ArrowRight')
  await checkAccessibility()
  await page.getByRole('link', { name: 'Open security' }).click()
  await expect(page).toHaveURL('/security')
  await page.goBack()
  await expect(page).toHaveURL('/profile?tab=security')
})

test('PROFILE-02 PROFILE-03 ERR-22 RULE-06: a new name is kept and shown in the header', async ({
  page,
  person,
  checkAccessibility,
}) => {
  await page.goto('/profile')
  const name = page.getByLabel('Full Name')
  await expect(name).toHaveValue('Ona Vidal')
  await expect(page.getByLabel('Email')).toHaveValue(person.email)
  await expect(page.getByLabel('Email')).not.toBeEditable()
  await checkAccessibility()
  const save = page.getByRole('button', { name: 'Save changes' })
  await expect(save).toBeDisabled()
  await name.fill('')
  await save.click()
  await expect(page.getByText('Please enter your full name')).toBeVisible()
  await checkAccessibility()
  await name.fill('<b>Núria</b> Puig')
  await save.click()
  await expect(toast(page)).toContainText('Profile updated')
  await expect(page.getByRole('button', { name: 'Account of Núria Puig' })).toBeVisible()
  await page.reload()
  await expect(name).toHaveValue('Núria Puig')
})

test('ERR-22: a name that could not be kept says so and stays in the field', once, async ({
  page,
  person,
}) => {
  expect(person.id).not.toBe('')
  await page.route('**/rest/v1/profiles*', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  )
  await page.goto('/profile')
  await page.getByLabel('Full Name').fill('Núria Puig')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('alert')).toContainText('Error updating profile')
  await expect(page.getByRole('alert')).toContainText('Plaza cannot be reached')
  await expect(page.getByLabel('Full Name')).toHaveValue('Núria Puig')
})

test('PROFILE-03: text typed while a name is being saved is kept for the next save', once, async ({ page, person }) => {
  expect(person.id).not.toBe('')
  await page.goto('/profile')
  const name = page.getByLabel('Full Name')
  const save = page.getByRole('button', { name: 'Save changes' })
  await name.fill('Ona Vidal Roca')
  const letGo = await hold(page, '**/rest/v1/profiles*')
  await name.evaluate((field: HTMLInputElement) => {
    field.form?.requestSubmit()
    // At once, before the form has validated what it submits.
    field.focus()
    field.setSelectionRange(field.value.length, field.value.length)
    document.execCommand('insertText', false, ' Puig')
  })
  await expect(save).toHaveAttribute('aria-busy')
  letGo()
  await expect(page.getByLabel('Message')).toContainText('Profile updated')
  await expect(name).toHaveValue('Ona Vidal Roca Puig')
  await save.click()
  await expect(save).toBeDisabled()
  await expect(save).not.toHaveAttribute('aria-busy')
  await page.reload()
  await expect(name).toHaveValue('Ona Vidal Roca Puig')
})

test('PROFILE-04 PROFILE-05 PROFILE-06 PROFILE-07 C-08 C-09 ERR-65: changing the password', async ({
  page,
  person,
  browser,
  checkAccessibility,
}) => {
  await page.goto('/profile?tab=account')
  const submit = page.getByRole('button', { name: 'Change Password' })
  const fill = async (current: string, next: string, confirm = next) => {
    await page.getByLabel('Current password').fill(current)
    await page.getByLabel('New password', { exact: true }).fill(next)
    await page.getByLabel('Confirm new password').fill(confirm)
  }
  await expect(submit).toBeDisabled()
  await fill(password, 'Another-pass-2', '')
  await expect(submit).toBeDisabled()
  await fill(password, 'aA1aA')
  await submit.click()
  await expect(toast(page)).toContainText('Password too short')
  await expect(toast(page)).toContainText('Password must be at least 6 characters long')
  await fill(password, 'Another-pass-2', 'Another-pass-3')
  await submit.click()
  await expect(toast(page)).toContainText('Passwords do not match')
  await expect(toast(page)).toContainText('New password and confirmation must match')
  await checkAccessibility()
  await fill(password, 'nodigits')
  await submit.click()
  await expect(
    page.getByText('Password must contain at least one lowercase letter, one uppercase'),
  ).toBeVisible()
  await fill('Wrong-password-1', 'Another-pass-2')
  await submit.click()
  await expect(page.getByText('This is not your current password')).toBeVisible()
  await checkAccessibility()
  await fill(password, password)
  await submit.click()
  await expect(page.getByText('The new password must differ from the old one')).toBeVisible()
  await fill(password, 'Another-pass-2')
  await submit.click()
  await expect(toast(page)).toContainText('Password Updated')
  await expect(page.getByLabel('Current password')).toHaveValue('')

  const other = await browser.newPage()
  await other.goto('/auth')
  await signInByForm(other, person.email, 'Another-pass-2')
  await expect(other).toHaveURL('/dashboard')
  await other.goto('/security?tab=activity')
  await expect(other.getByRole('heading', { name: 'Password changed' })).toBeVisible()
  await other.close()
})

test('PROFILE-08: an account is deleted after a question that has to be answered', async ({
  page,
  person,
  browser,
  checkAccessibility,
}) => {
  await page.goto('/profile?tab=account')
  await page.getByRole('button', { name: 'Delete Account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  const word = dialog.getByLabel(`To confirm, type ${person.email}`)
  await expect(word).toBeFocused()
  await checkAccessibility()
  await word.fill('somebody@else.test')
  await word.press('Enter')
  await expect(dialog.getByText('This is not the same')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Delete Account' })).toBeFocused()
  await page.keyboard.press('Enter')
  await word.fill(person.email.toUpperCase())
  await dialog.getByRole('button', { name: 'Delete Account' }).click()
  await expect(toast(page)).toContainText('Account deleted')
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('link', { name: 'Sign In' }).first()).toBeAttached()
  const { data } = await service().from('profiles').select('id').eq('id', person.id)
  expect(data).toEqual([])
  const other = await browser.newPage()
  await other.goto('/auth')
  await signInByForm(other, person.email)
  await expect(other.getByRole('alert')).toContainText('Sign In Failed')
  await other.close()
})

test('PROFILE-08: an account that could not be deleted stays, and so does the dialog', once, async ({
  page,
  person,
}) => {
  await page.route('**/auth/v1/user', (route) =>
    route.request().method() === 'DELETE'
      ? route.fulfill({ status: 500, json: { code: 500, error_code: 'unexpected_failure' } })
      : route.continue(),
  )
  await page.goto('/profile?tab=account')
  await page.getByRole('button', { name: 'Delete Account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^To confirm/).fill(person.email)
  await dialog.getByRole('button', { name: 'Delete Account' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Your account was not deleted')
  await dialog.getByRole('button', { name: 'Keep account' }).click()
  await expect(dialog).toBeHidden()
})

test('one takes one’s data along', once, async ({ page, person }) => {
  await page.goto('/profile?tab=account')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download my data' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('plaza-account.json')
  const text = await (await file.createReadStream()).toArray()
  expect(Buffer.concat(text).toString()).toContain(person.email)
})

test('SEC-01 PERM-04: a visitor is asked to sign in, and comes back', once, async ({ page }) => {
  const { email } = await newPerson()
  for (const address of ['/profile?tab=account', '/security?tab=sessions']) {
    await page.goto(address)
    await expect(page).toHaveURL('/auth')
  }
  await signInByForm(page, email)
  await expect(page).toHaveURL('/security?tab=sessions')
})
