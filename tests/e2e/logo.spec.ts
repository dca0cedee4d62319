import type { Page } from '@playwright/test'
import { service } from './accounts'
import { expectNoOverflow } from './admins'
import { expect, once, test } from './fixtures'
import { endPlan, givePlan, type Shop, shopOf } from './owners'
import { picture } from './pictures'

const bucket = 'business-logos'

async function choose(page: Page, button: string, file: ReturnType<typeof picture>): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: button }).click(),
  ])
  await chooser.setFiles(file)
}

/** The stored logo files of a business, and which one is set. */
async function storedLogo({ id, owner }: Shop): Promise<{ files: string[]; set: string | null }> {
  const [files, row] = await Promise.all([
    service().storage.from(bucket).list(`${owner}/${id}`),
    service().from('businesses').select('logo_url').eq('id', id).single(),
  ])
  if (files.error ?? row.error) throw files.error ?? row.error
  const set: string | null = row.data?.logo_url ?? null
  return {
    files: (files.data ?? []).map(({ name }) => name),
    set: set && (set.split('/').at(-1) ?? null),
  }
}

const square = (color: readonly [number, number, number], bytes?: number) =>
  picture({ name: 'logo.png', color, width: 200, height: 200, ...(bytes && { bytes }) })

test('SUB-07: a logo is chosen, shown, replaced and removed while the plan has logos', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const shop = await shopOf(person)
  await givePlan(person, 'premium')
  await page.goto(`/business/edit/${shop.id}?tab=photos`)
  const panel = page.getByRole('region', { name: 'Logo', exact: true })
  await expect(panel.getByText('No logo yet')).toBeVisible()

  // A file that the server would refuse is not sent.
  await choose(page, 'Choose a logo', square([20, 60, 140], 1024 * 1024 + 1))
  await expect(panel.getByRole('alert')).toContainText('cannot be larger than 1 MB')
  const text = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('Not a picture') }
  await choose(page, 'Choose a logo', text)
  await expect(panel.getByRole('alert')).toContainText('valid image file')
  await checkAccessibility()

  await choose(page, 'Choose a logo', square([20, 60, 140]))
  await expect(page.getByLabel('Message', { exact: true })).toContainText('Logo saved')
  await expect(panel.getByRole('alert')).toHaveCount(0)
  const first = await storedLogo(shop)
  expect(first.files).toEqual([first.set])

  await choose(page, 'Replace logo', square([180, 60, 40]))
  await expect(async () => expect((await storedLogo(shop)).set).not.toBe(first.set)).toPass()
  const second = await storedLogo(shop)
  expect(second.files).toEqual([second.set])
  await checkAccessibility()
  await expectNoOverflow(page)

  const logo = page.locator(`img[src*="${bucket}"]`)
  for (const path of [`/business/${shop.id}`, '/my-businesses']) {
    await page.goto(path)
    await expect(logo).toBeVisible()
    await expect
      .poll(() => logo.evaluate((img: HTMLImageElement) => img.naturalWidth))
      .toBeGreaterThan(0)
  }

  await page.goto(`/business/edit/${shop.id}?tab=photos`)
  await panel.getByRole('button', { name: 'Remove logo' }).click()
  await expect(panel.getByText('No logo yet')).toBeVisible()
  expect(await storedLogo(shop)).toEqual({ files: [], set: null })
})

test('SUB-07: a logo that could not be saved leaves nothing behind and can be sent again', once, async ({
  page,
  person,
}) => {
  const shop = await shopOf(person)
  await givePlan(person, 'premium')
  await page.goto(`/business/edit/${shop.id}?tab=photos`)
  const panel = page.getByRole('region', { name: 'Logo', exact: true })
  await expect(panel.getByText('No logo yet')).toBeVisible()
  // The plan ends between the upload and the row that refers to it.
  await page.route('**/storage/v1/object/business-logos/**', async (route) => {
    const response = await route.fetch()
    if (route.request().method() === 'POST') await endPlan(person)
    await route.fulfill({ response })
  })
  await choose(page, 'Choose a logo', square([20, 60, 140]))
  await expect(panel.getByRole('alert')).toContainText('The plan of this business has no logo')
  expect(await storedLogo(shop)).toEqual({ files: [], set: null })
  await givePlan(person, 'premium')
  await page.unroute('**/storage/v1/object/business-logos/**')
  await page.context().setOffline(true)
  await panel.getByRole('button', { name: 'Try again' }).click()
  await expect(panel.getByRole('alert')).toContainText('You are offline')
  await page.context().setOffline(false)
  await panel.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByLabel('Message', { exact: true })).toContainText('Logo saved')
})

test('SUB-07: without the plan there is the way to one; a logo that was is hidden and can be removed', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const shop = await shopOf(person)
  await page.goto(`/business/edit/${shop.id}?tab=photos`)
  const panel = page.getByRole('region', { name: 'Logo', exact: true })
  await expect(panel.getByText('Your plan has no logo')).toBeVisible()
  await expect(panel.getByRole('link', { name: 'See plans' })).toHaveAttribute('href', '/plans')
  await expect(panel.getByRole('button')).toHaveCount(0)
  await checkAccessibility()

  await givePlan(person, 'premium')
  const key = `${person.id}/${shop.id}/1.png`
  const { buffer } = square([20, 60, 140])
  const { error } = await person.client.storage
    .from(bucket)
    .upload(key, buffer, { contentType: 'image/png' })
  expect(error).toBeNull()
  const { error: refused } = await person.client
    .from('businesses')
    .update({ logo_url: `/storage/v1/object/public/${bucket}/${key}` })
    .eq('id', shop.id)
  expect(refused).toBeNull()
  await endPlan(person)
  await page.goto(`/business/${shop.id}`)
  await expect(page.getByRole('heading', { name: shop.name, level: 1 })).toBeVisible()
  await expect(page.locator(`img[src*="${bucket}"]`)).toHaveCount(0)
  await page.goto(`/business/edit/${shop.id}?tab=photos`)
  await expect(panel.getByText('Your logo is not shown')).toBeVisible()
  await checkAccessibility()
  await panel.getByRole('button', { name: 'Remove logo' }).click()
  await expect(panel.getByText('Your plan has no logo')).toBeVisible()
  expect(await storedLogo(shop)).toEqual({ files: [], set: null })
})
