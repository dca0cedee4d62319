import type { Locator, Page } from '@playwright/test'
import { service, tabTo } from './accounts'
import { enter, expect, newPerson, test } from './fixtures'
import {
  addPhotos,
  provider,
  type Shop,
  shopOf,
  storedCaptions,
  storedCover,
  storedFiles,
} from './owners'
import { picture, pictures, place } from './pictures'

const toast = (page: Page) => page.getByLabel('Message')
const tray = (page: Page) => page.getByRole('region', { name: 'Photos to upload' })
const cards = (page: Page) => page.getByRole('region', { name: 'Your photos' }).getByRole('listitem')

async function openPhotos(page: Page, { id }: Shop): Promise<void> {
  await page.goto(`/business/edit/${id}?tab=photos`)
  await expect(page.getByRole('button', { name: 'Choose photos' })).toBeVisible()
}

async function choose(page: Page, files: ReturnType<typeof pictures>): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose photos' }).click(),
  ])
  await chooser.setFiles(files)
}

async function uploadOne(page: Page, file = picture({ name: 'photo-1.png' })): Promise<void> {
  await choose(page, [file])
  await page.getByRole('button', { name: 'Upload 1 photo' }).click()
}

async function deletePhoto(page: Page, card: Locator): Promise<void> {
  await fromMenu(page, card, 'Delete photo')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete photo' }).click()
}

async function fromMenu(page: Page, card: Locator, item: string): Promise<void> {
  await card.getByRole('button', { name: /^More for/ }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** Lets so many bytes a second out of the page. */
async function slowDown(page: Page, bytesPerSecond: number): Promise<void> {
  const network = await page.context().newCDPSession(page)
  await network.send('Network.enable')
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  })
}

test('OWNER-22 OWNER-25 STORE-01 STORE-02 STORE-03 S-39 ERR-25: photos are uploaded with captions, the first is the cover', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const shop = await shopOf(person)
  await openPhotos(page, shop)
  await expect(page.getByText('Show people what you do')).toBeVisible()
  await expect(page.getByText('0 of 5 photos used')).toBeVisible()
  await checkAccessibility()

  await choose(page, pictures(2))
  await expect(tray(page).getByRole('listitem')).toHaveCount(2)
  await page.getByLabel('Caption of photo-1.png').fill('The salon, from the street')
  await checkAccessibility()
  await page.getByRole('button', { name: 'Upload 2 photos' }).click()
  await expect(toast(page)).toContainText('Photo added successfully')
  await expect(cards(page)).toHaveCount(2)
  await expect(tray(page)).toHaveCount(0)
  await expect(page.getByText('2 of 5 photos used')).toBeVisible()
  await expect(cards(page).first()).toContainText('The salon, from the street')
  await expect(cards(page).first().getByText('Cover', { exact: true })).toBeVisible()
  await checkAccessibility()

  const files = await storedFiles(shop)
  expect(files).toHaveLength(2)
  for (const name of files) expect(name).toMatch(/^\d{13}-[0-9a-f-]{10,}\.png$/)
  const shown = cards(page).first().getByRole('img')
  await expect(shown).toHaveAttribute('srcset', /\/storage\/v1\/render\/image\/public\//)
  await expect
    .poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)
  const stored = await page.request.get((await storedCover(shop)) ?? '')
  expect(stored.headers()['content-type']).toBe('image/png')
  expect(pictures(1)[0]?.buffer.includes(place)).toBe(true)
  expect((await stored.body()).includes(place)).toBe(false)

  // Visitors see them, the cover first.
  await page.goto(`/business/${shop.id}`)
  await expect(page.getByRole('button', { name: 'View all 2 photos' })).toBeVisible()
})

test('OWNER-22: an upload shows true progress, survives a lost connection, and can be cancelled', async ({
  page,
  person,
  context,
}) => {
  const shop = await shopOf(person)
  await openPhotos(page, shop)
  await slowDown(page, 150_000)
  await uploadOne(page, picture({ name: 'large.png', width: 640, height: 480 }))
  const bar = page.getByRole('progressbar', { name: 'Upload of large.png' })
  const value = async () => Number(await bar.getAttribute('value'))
  await expect.poll(value).toBeGreaterThan(4)
  expect(await value()).toBeLessThan(100)
  await context.setOffline(true)
  await expect(page.getByText('Connection lost. It goes on by itself.')).toBeVisible()
  await context.setOffline(false)
  await slowDown(page, -1)
  await expect(cards(page)).toHaveCount(1)

  await slowDown(page, 100_000)
  await uploadOne(page, picture({ name: 'unwanted.png', width: 640, height: 480 }))
  await page.getByRole('button', { name: 'Cancel upload of unwanted.png' }).click()
  await expect(tray(page)).toHaveCount(0)
  await slowDown(page, -1)
  await expect(cards(page)).toHaveCount(1)
  expect(await storedFiles(shop)).toHaveLength(1)
})

test('RULE-19 C-50 CONST-03: what is no picture or too large is told beside it, and the rest is uploaded', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const shop = await shopOf(person)
  await openPhotos(page, shop)
  const most = 5 * 1024 * 1024
  await choose(page, [
    { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('only text') },
    {
      name: 'drawing.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    },
    picture({ name: 'exact.png', bytes: most }),
    picture({ name: 'more.png', bytes: most + 1 }),
    picture({ name: 'less.png', bytes: most - 1 }),
  ])
  const row = (name: string) => tray(page).getByRole('listitem').filter({ hasText: name })
  const wrongType = 'Please upload a valid image file (JPEG, PNG, or WebP)'
  await expect(row('notes.png')).toContainText(wrongType)
  await expect(row('drawing.svg')).toContainText(wrongType)
  await expect(row('exact.png')).toContainText('File size must be less than 5MB')
  await expect(row('more.png')).toContainText('File size must be less than 5MB')
  await checkAccessibility()
  await page.getByRole('button', { name: 'Upload 1 photo' }).click()
  await expect(cards(page)).toHaveCount(1)
  await expect(tray(page).getByRole('listitem')).toHaveCount(4)
  await page.getByRole('button', { name: 'Remove notes.png' }).click()
  await expect(tray(page).getByRole('listitem')).toHaveCount(3)

  // What does not ask our client is refused by the bucket.
  const bucket = person.client.storage.from('business-photos')
  const put = async (name: string, content: Buffer, contentType: string) =>
    (await bucket.upload(`${person.id}/${shop.id}/${name}`, content, { contentType })).error
  const codes = [
    await put('a.png', Buffer.from('only text'), 'image/png'),
    await put('b.png', Buffer.from('\x89PNG\r\n\x1a\nand then text', 'latin1'), 'image/png'),
    await put('c.svg', Buffer.from('<svg/>'), 'image/svg+xml'),
    await put('d.png', picture({ bytes: most }).buffer, 'image/png'),
    await put('e.png', picture({ bytes: most - 1 }).buffer, 'image/png'),
  ].map((error) => error && 'statusCode' in error && error.statusCode)
  expect(codes).toEqual(['415', '415', '415', '413', null])
})

test('SUB-08 S-37 CONST-02: at the limit the files wait, a plan is bought, and they are uploaded', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const shop = await shopOf(person)
  await addPhotos(shop, 4)
  await openPhotos(page, shop)
  await choose(page, pictures(2))
  await expect(page.getByText('Not uploaded: no room left in your plan')).toBeVisible()
  await page.getByRole('button', { name: 'Upload 1 photo' }).click()
  await expect(page.getByText('5 of 5 photos used')).toBeVisible()
  await expect(cards(page)).toHaveCount(5)
  await expect(page.getByText('Your plan allows 5 photos per business').first()).toBeVisible()
  await checkAccessibility()

  await page.getByRole('link', { name: 'See plans' }).first().click()
  await expect(page).toHaveURL('/plans')
  const checkout = await provider(page, 'Choose Pro')
  await checkout.getByRole('button', { name: /^Pay \d/ }).click()
  await expect(checkout.getByText('Welcome to Pro')).toBeVisible()
  await checkout.close()
  await page.bringToFront()
  await page.goBack()
  await expect(page.getByText('5 of 20 photos used')).toBeVisible({ timeout: 40_000 })
  await page.getByRole('button', { name: 'Upload 1 photo' }).click()
  await expect(cards(page)).toHaveCount(6)
})

test('S-37: what the client does not know is refused by the server, and the file stays', async ({
  page,
  person,
}) => {
  const shop = await shopOf(person)
  await openPhotos(page, shop)
  await choose(page, pictures(1))
  await addPhotos(shop, 5) // meanwhile, elsewhere
  await page.getByRole('button', { name: 'Upload 1 photo' }).click()
  await expect(tray(page)).toContainText('Not uploaded: no room left in your plan')
  expect(await storedFiles(shop)).toEqual([])
})

test('OWNER-22 ERR-24: a row that is refused takes its bytes with it, and the file stays', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const shop = await shopOf(person)
  await openPhotos(page, shop)
  await page.route('**/rest/v1/business_photos*', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 400, json: { code: '23514', message: 'no' } })
      : route.continue(),
  )
  await uploadOne(page)
  await expect(tray(page)).toContainText('Failed to add photo')
  expect(await storedFiles(shop)).toEqual([])
  await checkAccessibility()
  await page.unroute('**/rest/v1/business_photos*')
  await page.getByRole('button', { name: 'Try again: photo-1.png' }).click()
  await expect(cards(page)).toHaveCount(1)

  await page.route('**/storage/v1/upload/resumable', (route) => route.fulfill({ status: 400 }))
  await uploadOne(page)
  await expect(tray(page)).toContainText('Failed to upload photo')
})

test('OWNER-23: photos are put in order by keyboard alone', async ({ page, person }) => {
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
  const b = await page.getByRole('button', { name: /^Move Photo 2 of 5\. Use/ }).boundingBox()
  if (!a || !b) throw new Error('no grips')
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
    // It is taken up once the finger has rested on it.
    await expect(page.locator('[data-dragging]')).toHaveCount(1)
    await touch('touchMove', [(x + toX) / 2, (y + toY) / 2])
    await touch('touchMove', [toX, toY])
    await touch('touchEnd')
  } else {
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move((x + toX) / 2, (y + toY) / 2, { steps: 4 })
    await page.mouse.move(toX, toY, { steps: 4 })
    await page.mouse.up()
  }
  await expect
    .poll(() => storedCaptions(shop))
    .toEqual(['Photo 2', 'Photo 1', 'Photo 3', 'Photo 4', 'Photo 5'])
})

test('OWNER-23 ERR-24: an order that is refused is taken back', async ({ page, person }) => {
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

test('ERR-24: what cannot be loaded, covered or deleted is said', async ({ page, person }) => {
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

test('OWNER-22: photos are dropped and pasted', async ({ page, person }) => {
  const shop = await shopOf(person)
  await openPhotos(page, shop)
  const files = pictures(2).map(({ name, buffer }) => ({ name, base64: buffer.toString('base64') }))
  for (const [kind, file] of [
    ['drop', files[0]],
    ['paste', files[1]],
  ]) {
    await page.evaluate(
      ([kind, name, base64]) => {
        const bytes = Uint8Array.from(atob(base64 ?? ''), (letter) => letter.charCodeAt(0))
        const data = new DataTransfer()
        data.items.add(new File([bytes], name ?? '', { type: 'image/png' }))
        const target = [...document.querySelectorAll('button')].find((one) =>
          one.textContent?.includes('Choose photos'),
        )
        const event =
          kind === 'drop'
            ? new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
            : new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
        target?.dispatchEvent(event)
      },
      [kind, typeof file === 'object' ? file.name : '', typeof file === 'object' ? file.base64 : ''],
    )
  }
  await expect(tray(page).getByRole('listitem')).toHaveCount(2)
  await page.getByRole('button', { name: 'Upload 2 photos' }).click()
  await expect(cards(page)).toHaveCount(2)
})

test('OWNER-03 PERM-07 ERR-28 ERR-31 ROUTE-30: both addresses edit, another’s business does not open', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const shop = await shopOf(person)
  await page.goto(`/business/${shop.id}/edit`)
  await expect(page.getByRole('heading', { level: 1, name: 'Edit Business' })).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Photos' })).toBeVisible()

  const rival = await newPerson('Biel Font')
  const other = await shopOf(rival, 'Barberia Font')
  await page.goto(`/business/edit/${other.id}`)
  await expect(page.getByRole('alert')).toHaveText(
    /Access DeniedYou do not have permission to perform this action/,
  )
  await checkAccessibility()
  await page.goto('/business/edit/00000000-0000-4000-8000-000000000000')
  await expect(page.getByText('Business not found')).toBeVisible()
  await page.goto('/business/edit/no-such-business')
  await expect(page.getByText('Business not found')).toBeVisible()
  // The server decides, whatever a client shows.
  const { error } = await person.client.storage
    .from('business-photos')
    .upload(`${person.id}/${other.id}/1.png`, picture().buffer, { contentType: 'image/png' })
  expect(error?.message).toContain('row-level security')
})

test('OWNER-11 ERR-29: a failed load is said, and leads back', async ({ page, person }) => {
  const shop = await shopOf(person)
  await page.route('**/rest/v1/businesses*', (route) =>
    route.request().url().includes(`id=eq.${shop.id}`)
      ? route.fulfill({ status: 400, json: { code: '22000', message: 'no' } })
      : route.continue(),
  )
  await page.goto(`/business/edit/${shop.id}`)
  await expect(page.getByText('Failed to load business data')).toBeVisible()
  await expect(page).toHaveURL('/my-businesses')
})

test('OWNER-10: an admin edits as such, without a limit', async ({ page, person }) => {
  const owner = await newPerson('Laia Serra')
  const shop = await shopOf(owner)
  await service().from('profiles').update({ role: 'admin' }).eq('id', person.id)
  await page.goto(`/business/edit/${shop.id}`)
  await expect(
    page.getByText('Admin Mode: You are editing this business as an administrator'),
  ).toBeVisible()
  await expect(page.getByText('Owner: Laia Serra')).toBeVisible()
  await expect(page.getByText('0 photos')).toBeVisible()
  await uploadOne(page)
  await expect(cards(page)).toHaveCount(1)
})

test('ROUTE-23 OWNER-01 OWNER-02 SUB-07: one’s own businesses, and the limit of them', async ({
  page,
  checkAccessibility,
}) => {
  await page.goto('/my-businesses')
  await expect(page).toHaveURL('/auth')
  const person = await newPerson()
  await enter(page, person)
  await page.goto('/my-businesses')
  await expect(page.getByText('No businesses yet')).toBeVisible()
  await checkAccessibility()

  const shop = await shopOf(person, 'Perruqueria i Estètica Mare de Déu de Meritxell i Sant Julià')
  await page.reload()
  const own = page.getByRole('article', { name: shop.name })
  await expect(own).toContainText('Hair Salons · Andorra la Vella, Andorra')
  await expect(page.getByText('1 of 1 business used')).toBeVisible()
  await page.getByRole('button', { name: 'Add Business' }).click()
  await expect(page.getByText('Your plan allows 1 business')).toBeVisible()
  await checkAccessibility()
  await expect(page.getByRole('link', { name: 'See plans' })).toHaveAttribute('href', '/plans')
  await expect(own.getByRole('link', { name: /^View/ })).toHaveAttribute(
    'href',
    `/business/${shop.id}`,
  )
  await own.getByRole('link', { name: /^Edit/ }).click()
  await expect(page).toHaveURL(`/business/edit/${shop.id}`)
})
