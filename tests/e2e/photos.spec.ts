import { expect, once, test } from './fixtures'
import { addPhotos, provider, shopOf, storedCover, storedFiles } from './owners'
import { cards, choose, openPhotos, slowDown, toast, tray, uploadOne } from './photo-page'
import { picture, pictures, place } from './pictures'

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

test('RULE-19 C-50 CONST-03: invalid or too large files are reported, and the others are uploaded', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const shop = await shopOf(person)
  await openPhotos(page, shop)
  const most = 5 * 1024 * 1024
  const notes = 'notes-of-the-meeting-with-the-architect-of-the-new-hall.png'
  await choose(page, [
    { name: notes, mimeType: 'image/png', buffer: Buffer.from('only text') },
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
  await expect(row(notes)).toContainText(wrongType)
  await expect(row('drawing.svg')).toContainText(wrongType)
  // However long the name is, the page is not wider than the screen.
  const spare = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return clientWidth - scrollWidth
  })
  expect(spare).toBeGreaterThanOrEqual(0)
  await expect(row('exact.png')).toContainText('File size must be less than 5MB')
  await expect(row('more.png')).toContainText('File size must be less than 5MB')
  await checkAccessibility()
  await page.getByRole('button', { name: 'Upload 1 photo' }).click()
  await expect(cards(page)).toHaveCount(1)
  await expect(tray(page).getByRole('listitem')).toHaveCount(4)
  await page.getByRole('button', { name: `Remove ${notes}` }).click()
  await expect(tray(page).getByRole('listitem')).toHaveCount(3)
})

test('STORE-05 RULE-19 C-50: the bucket refuses invalid uploads of other clients', once, async ({
  person,
}) => {
  const shop = await shopOf(person)
  const most = 5 * 1024 * 1024
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

test('SUB-08 S-37 CONST-02: at the limit the files wait, a plan is bought, and they are uploaded', once, async ({
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

test('S-37: the server enforces a limit unknown to the client, and the file is kept', once, async ({
  page,
  person,
}) => {
  const shop = await shopOf(person)
  await openPhotos(page, shop)
  await choose(page, pictures(1))
  await addPhotos(shop, 5) // meanwhile, in another window
  await page.getByRole('button', { name: 'Upload 1 photo' }).click()
  await expect(tray(page)).toContainText('Not uploaded: no room left in your plan')
  expect(await storedFiles(shop)).toEqual([])
})

test('OWNER-22 ERR-24: a row that is refused takes its bytes with it, and the file stays', once, async ({
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
      [
        kind,
        typeof file === 'object' ? file.name : '',
        typeof file === 'object' ? file.base64 : '',
      ],
    )
  }
  await expect(tray(page).getByRole('listitem')).toHaveCount(2)
  await page.getByRole('button', { name: 'Upload 2 photos' }).click()
  await expect(cards(page)).toHaveCount(2)
})
