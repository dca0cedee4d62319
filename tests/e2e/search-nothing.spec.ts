import type { Page } from '@playwright/test'
import { signInByForm } from './accounts'
import { expect, newPerson, once, test } from './fixtures'

const section = (page: Page, name: string) =>
  page.locator('section section').filter({ has: page.getByRole('heading', { level: 4, name }) })

test('SEARCH-17: nothing found says which filter to lift, and how many there are then', async ({
  page,
  checkAccessibility,
}) => {
  await page.goto('/search?find_desc=masaje&find_loc=Barcelona&price_min=5000')
  await expect(page.getByRole('heading', { name: 'No Results Found' })).toBeVisible()
  const lifted = section(page, 'Clear filters').getByRole('link', { name: /^Any price \d+ business/ })
  await expect(lifted).toBeVisible()
  const [count] = (await lifted.innerText()).match(/\d+/) ?? []
  await checkAccessibility()
  await lifted.press('Enter')
  await expect(page).toHaveURL('/search?find_desc=masaje&find_loc=Barcelona')
  await expect(page.getByText(new RegExp(`of ${count} results`))).toBeVisible()
})

test('a town without businesses names the nearest places that have some', async ({ page, checkAccessibility }) => {
  await page.goto('/search?find_desc=masaje&find_loc=Girona')
  const place = section(page, 'Try a different location').getByRole('link').first()
  await expect(place).toHaveText(/^Barcelona\d+ business(es)? · 86 km away$/)
  await checkAccessibility()
  const [count] = (await place.innerText()).match(/\d+/) ?? []
  await place.click()
  await expect(page).toHaveURL('/search?find_desc=masaje&find_loc=Barcelona')
  await expect(page.getByText(new RegExp(`of ${count} results`))).toBeVisible()
})

test('users can create and remove an alert', async ({ page, person, checkAccessibility }) => {
  const alerts = () => person.client.from('search_alerts').select('find_desc, find_loc, category')
  await page.goto('/search?find_desc=masaje&find_loc=Girona')
  const tell = section(page, 'Tell me when there is one').getByRole('button', { name: 'Tell me' })
  await expect(tell).toBeEnabled()
  await tell.press('Enter')
  const on = section(page, 'We tell you when there is one')
  await expect(on).toBeVisible()
  expect((await alerts()).data).toEqual([{ find_desc: 'masaje', find_loc: 'Girona', category: null }])
  await checkAccessibility()
  await page.reload()
  await on.getByRole('button', { name: 'Do not tell me' }).click()
  await expect(section(page, 'Tell me when there is one')).toBeVisible()
  expect((await alerts()).data).toEqual([])
})

test('a visitor signs in for it and is back, and it is kept', once, async ({ page }) => {
  const person = await newPerson()
  await page.goto('/search?find_desc=masaje&find_loc=Girona')
  await page.getByRole('button', { name: 'Sign in and tell me' }).click()
  await expect(page).toHaveURL(/\/auth/)
  await signInByForm(page, person.email)
  await expect(page).toHaveURL('/search?find_desc=masaje&find_loc=Girona')
  await expect(section(page, 'We tell you when there is one')).toBeVisible()
  const { data } = await person.client.from('search_alerts').select('find_desc, find_loc')
  expect(data).toEqual([{ find_desc: 'masaje', find_loc: 'Girona' }])
})
