import { tabTo } from './accounts'
import { expect, once, test } from './fixtures'
import { addPhotos, shopOf, storedCaptions, storedCover, storedFiles } from './owners'
import { cards, choose, deletePhoto, fromMenu, openPhotos, toast } from './photo-page'
import { pictures } from './pictures'

test('OWNER-23: photos are put in order by keyboard alone', once, async ({ page, person }) => {
  const shop = await shopOf(person)
  await addPhotos(shop, 5)
  await openPhotos(page, shop)
  await tabTo(page, page.getByRole('button', { name: /^Move Photo 1 of 5\. Use/ }))
  await page.keyboard.press('ArrowRight')
  await expect(page.getByText('Moved to place 2 of 5')).toBeAttached()
  await expect(page.getByRole('button', { name: /^Move Photo 2 of 5\. Use/ })).toBeFocused()
  await page.keyboard.press('End')
  await expect(page.getByText('Moved to place 5 of 5')).toBeAttached()
  await expect
    .poll(() => storedCaptions(shop))
    .toEqual(['Photo 2', 'Photo 3', 'Photo 4', 'Photo 5', 'Photo 1'])
  await expect(toast(page)).toContainText('Photo order updated.')
  await tabTo(page, page.getByRole('button', { name: 'Move Photo 5 of 5 earlier' }))
  await page.keyboard.press('Enter')
  await expect
    .poll(() => storedCaptions(shop))
    .toEqual(['Photo 2', 'Photo 3', 'Photo 4', 'Photo 1', 'Photo 5'])
})

test('OWNER-23: photos are put in order by dragging', async ({ page, person }, info) => {
  const shop = await shopOf(person)
  await addPhotos(shop, 5)
  await openPhotos(page, shop)
  const from = await page.getByRole('button', { name: /^Move Photo 1 of 5\. Use/ })
  await from.scrollIntoViewIfNeeded()
  const a = await from.boundingBox()
  const other = page.getByRole('button', { name: /^Move Photo 2 of 5\. Use/ })
  const b = await other.boundingBox()
  if (!a || !b) throw new Error('no grips')
  /** Do not drop before the other photo has moved away. */
  const hasRoom = () => expect.poll(() => other.boundingBox()).not.toEqual(b)
  const [x, y] = [a.x + a.width / 2, a.y + a.height / 2]
  const [toX, toY] = [b.x + b.width / 2, b.y + b.height / 2]
  if (info.project.name === 'phone') {
    const finger = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: [number, number]) =>
      finger.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: at ? [{ x: at[0], y: at[1] }] : [],
      })
    await touch('touchStart', [x, y])
    // Dragging starts once the finger has rested on it.
    await expect(page.locator('[data-dragging]')).toHaveCount(1)
    await touch('touchMove', [(x + toX) / 2, (y + toY) / 2])
    await touch('touchMove', [toX, toY])
    await hasRoom()
    await touch('touchEnd')
  } else {
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move((x + toX) / 2, (y + toY) / 2, { steps: 4 })
    await page.mouse.move(toX, toY, { steps: 4 })
    await hasRoom()
    await page.mouse.up()
  }
  await expect
    .poll(() => storedCaptions(shop))
    .toEqual(['Photo 2', 'Photo 1', 'Photo 3', 'Photo 4', 'Photo 5'])
})

test('OWNER-23 ERR-24: an order that is refused is taken back', once, async ({ page, person }) => {
  const shop = await shopOf(person)
  await addPhotos(shop, 3)
  await openPhotos(page, shop)
  await page.route('**/rest/v1/rpc/reorder_business_photos', (route) =>
    route.fulfill({ status: 409, json: { code: 'PT409', details: 'photos_changed', message: '' } }),
  )
  await page.getByRole('button', { name: 'Move Photo 1 of 3 later' }).click()
  await expect(toast(page)).toContainText('Failed to update photo order')
  await expect(cards(page).first()).toContainText('Photo 1')
  expect(await storedCaptions(shop)).toEqual(['Photo 1', 'Photo 2', 'Photo 3'])
})

test('OWNER-24 OWNER-26 STORE-04 ERR-25: cover, caption and deletion', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const shop = await shopOf(person)
  await openPhotos(page, shop)
  await choose(page, pictures(2))
  await page.getByText('Use as cover').nth(1).click()
  await page.getByRole('button', { name: 'Upload 2 photos' }).click()
  await expect(cards(page)).toHaveCount(2)
  const isCover = (at: number) => cards(page).nth(at).getByText('Cover', { exact: true })
  await expect(isCover(1)).toBeVisible()
  await fromMenu(page, cards(page).nth(0), 'Set as cover')
  await expect(toast(page)).toContainText('Cover image updated successfully')
  await expect(isCover(0)).toBeVisible()
  await fromMenu(page, cards(page).nth(0), 'Reset cover')
  await expect(toast(page)).toContainText('Cover Reset')
  await expect.poll(() => storedCover(shop)).toBeNull()

  await fromMenu(page, cards(page).nth(0), 'Add caption')
  await page.getByRole('dialog').getByLabel('Caption').fill('La nova sala, ara amb més llum')
  await checkAccessibility()
  await page.getByRole('button', { name: 'Save caption' }).click()
  await expect(cards(page).nth(0)).toContainText('La nova sala, ara amb més llum')

  const before = await storedFiles(shop)
  await fromMenu(page, cards(page).nth(0), 'Delete photo')
  await checkAccessibility()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(cards(page)).toHaveCount(2)
  await deletePhoto(page, cards(page).nth(0))
  await expect(toast(page)).toContainText('Photo deleted successfully')
  await expect(cards(page)).toHaveCount(1)
  expect(before).toHaveLength(2)
  expect(await storedFiles(shop)).toHaveLength(1)
  await expect(page.getByRole('heading', { name: 'Your photos' })).toBeFocused()
  await deletePhoto(page, cards(page).nth(0))
  await expect(page.getByText('Show people what you do')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Choose photos' })).toBeFocused()
  expect(await storedFiles(shop)).toEqual([])
})

test('OWNER-22 OWNER-24 OWNER-26: a photo is added, uncovered and deleted by keyboard alone', once, async ({
  page,
  person,
}) => {
  const shop = await shopOf(person)
  await openPhotos(page, shop)
  // Before the key press, not together with it: otherwise the browser would intercept the chooser
  // too late.
  const chooser = page.waitForEvent('filechooser')
  await tabTo(page, page.getByRole('button', { name: 'Choose photos' }))
  await page.keyboard.press('Enter')
  await (await chooser).setFiles(pictures(1))
  await tabTo(page, page.getByLabel('Caption of photo-1.png'))
  await page.keyboard.type('By hand')
  await tabTo(page, page.getByRole('button', { name: 'Upload 1 photo' }))
  await page.keyboard.press('Enter')
  await expect(cards(page)).toContainText('By hand')

  const more = page.getByRole('button', { name: 'More for Photo 1 of 1' })
  await tabTo(page, more)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Reset cover' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect.poll(() => storedCover(shop)).toBeNull()
  await expect(more).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitem', { name: 'Delete photo' })).toBeFocused()
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Delete photo' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Choose photos' })).toBeFocused()
  expect(await storedFiles(shop)).toEqual([])
})

test('ERR-24: failures to load, set the cover or delete are reported', once, async ({ page, person }) => {
  const shop = await shopOf(person)
  await addPhotos(shop, 2)
  await openPhotos(page, shop)
  const refuse = (pattern: string, method: string) =>
    page.route(pattern, (route) =>
      route.request().method() === method
        ? route.fulfill({ status: 400, json: { code: '23514', message: 'no' } })
        : route.continue(),
    )
  await refuse('**/rest/v1/businesses*', 'PATCH')
  await fromMenu(page, cards(page).nth(1), 'Set as cover')
  await expect(toast(page)).toContainText('Failed to set cover image')
  await refuse('**/rest/v1/business_photos*', 'DELETE')
  await deletePhoto(page, cards(page).nth(0))
  await expect(toast(page)).toContainText('Failed to delete photo')
  await expect(cards(page)).toHaveCount(2)
  await refuse('**/rest/v1/business_photos*', 'GET')
  await page.reload()
  await expect(page.getByText('Failed to load business photos')).toBeVisible()
})
