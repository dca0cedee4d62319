import { followLink, mailedLink, newEmail, newPassword, signUpByForm, tabTo } from './accounts'
import { bookable, type BookableShop, closeToday } from './bookable-shops'
import { expect, once, test } from './fixtures'

/** What a visitor who half remembers a business would type: a word of its name, and its city. */
const wordsFor = ({ name }: BookableShop) => ({ what: name.split(' ').at(-1) ?? '', where: 'Andorra la Vella' })

test('a visitor searches, signs up, confirms the address, books and sees the booking (AUTH-02, AUTH-06, AUTH-14, BOOK-01, BOOK-16, BOOK-19)', async ({
  page,
  checkAccessibility,
}) => {
  // The whole journey with axe at nine stops: three times the usual limit.
  test.slow()
  const business = await bookable()
  await closeToday(business)
  const words = wordsFor(business)
  await page.goto('/')
  await page.getByLabel('Qué', { exact: true }).fill(words.what)
  await page.getByRole('combobox', { name: 'Dónde' }).fill(words.where)
  await page.getByRole('option').first().click()
  await checkAccessibility()
  await page.getByRole('button', { name: 'Buscar' }).click()

  await expect(page).toHaveURL(/\/search\?find_desc=/)
  const result = page.getByRole('article').filter({ hasText: business.name }).first()
  await expect(result).toBeVisible()
  await checkAccessibility()
  await result.getByRole('link').first().click()

  await expect(page.getByRole('heading', { level: 1 })).toHaveText(business.name)
  await checkAccessibility()
  await page.getByRole('button', { name: `Book ${business.serviceName}`, exact: true }).click()
  await page.getByRole('button', { name: /^Next free: / }).click()
  const chosen = page.getByRole('radio', { name: /^\d\d:\d\d/, checked: true })
  const time = (await chosen.textContent()) ?? ''
  await expect(page.getByText('Please log in to book an appointment')).toBeVisible()
  await checkAccessibility()
  await page.locator('form').getByRole('link', { name: 'Log In or Sign Up' }).click()

  await expect(page).toHaveURL('/auth')
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await expect(page).toHaveURL('/auth?mode=register')
  await checkAccessibility()
  const email = newEmail('journey')
  await signUpByForm(page, email)
  await expect(page.getByText('Account Created!')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check your email')
  await checkAccessibility()

  await page.goto(await mailedLink(email, 'confirmation'))
  await checkAccessibility()
  await page.getByRole('button').click()

  await expect(page.getByText('Welcome!')).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/business/[^?]+\\?.*service=${business.serviceId}`))
  await expect(chosen).toHaveText(time)
  await checkAccessibility()
  await page
    .locator('form')
    .getByRole('button', { name: new RegExp(`^Book .*${time}$`) })
    .click()
  await expect(page.getByRole('heading', { name: 'Booking successful' })).toBeVisible()
  await checkAccessibility()

  await page.getByRole('link', { name: 'My Bookings' }).last().click()
  await expect(page).toHaveURL('/bookings')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Bookings')
  const booking = page.getByRole('article').filter({ hasText: business.name })
  await expect(booking).toContainText(business.serviceName)
  await expect(booking).toContainText(`${time}–`)
  await expect(booking).toContainText('Pending')
  await checkAccessibility()
})

test('the same by keyboard alone', once, async ({ page }) => {
  test.slow() // as long, with every tab stop
  const business = await bookable()
  await closeToday(business)
  const words = wordsFor(business)
  const enter = async (target: Parameters<typeof tabTo>[1]) => {
    await tabTo(page, target)
    await page.keyboard.press('Enter')
  }
  const type = async (label: string, text: string) => {
    await tabTo(page, page.getByLabel(label, { exact: true }))
    await page.keyboard.type(text)
  }
  await page.goto('/')
  await tabTo(page, page.getByLabel('Qué', { exact: true }))
  await page.keyboard.type(words.what)
  await tabTo(page, page.getByRole('combobox', { name: 'Dónde' }))
  await page.keyboard.type(words.where)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/search\?find_desc=/)
  await enter(
    page.getByRole('article').filter({ hasText: business.name }).first().getByRole('link').first(),
  )
  await enter(page.getByRole('button', { name: `Book ${business.serviceName}`, exact: true }))
  await enter(page.getByRole('button', { name: /^Next free: / }))
  const chosen = page.getByRole('radio', { name: /^\d\d:\d\d/, checked: true })
  const time = (await chosen.textContent()) ?? ''
  await enter(page.locator('form').getByRole('link', { name: 'Log In or Sign Up' }))

  await tabTo(page, page.getByRole('tab', { name: 'Sign In' }))
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'Sign Up' })).toBeFocused()
  const email = newEmail('keyboard')
  await type('Full name', 'Laia Serra')
  await type('Email', email)
  await type('Password', newPassword)
  await type('Confirm password', newPassword)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check your email')

  await page.goto(await mailedLink(email, 'confirmation'))
  await enter(page.getByRole('button'))
  await expect(page).toHaveURL(/\/business\//)
  await enter(page.locator('form').getByRole('button', { name: new RegExp(`^Book .*${time}$`) }))
  await enter(page.getByRole('link', { name: 'My Bookings' }).last())
  await expect(page).toHaveURL('/bookings')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Bookings')
  await expect(page.getByRole('article').filter({ hasText: business.name })).toContainText(time)
})

test('S-13: a mailed link never redirects to another site', once, async ({ page }) => {
  const email = newEmail('next')
  await page.goto('/auth?mode=register')
  await page.evaluate(() => sessionStorage.setItem('plaza.redirect', '//evil.example/x'))
  await page.reload()
  await signUpByForm(page, email)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check your email')
  await followLink(page, email, 'confirmation')
  await expect(page.getByText('Welcome!')).toBeVisible()
  await expect(page).toHaveURL('/')
})
