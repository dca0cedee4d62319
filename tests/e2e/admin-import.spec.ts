import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { service } from './accounts'
import { expectNoOverflow, newListings, newWord, rowsOf, setAdmin } from './admins'
import { expect, once, test } from './fixtures'

// Issue 19, imports: a CSV of businesses is checked row by row, then added at once.

const panel = (page: Page) => page.getByRole('tabpanel')
const choose = (page: Page, label: string, name: string, content: string | Buffer) =>
  panel(page).getByLabel(label, { exact: true }).setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })
const figure = (page: Page, name: string) =>
  panel(page).getByRole('term').filter({ hasText: new RegExp(`^${name}$`) }).locator('xpath=following-sibling::dd')

async function removeListings(word: string): Promise<void> {
  await service().from('businesses').delete().like('name', `${word}%`)
}

test('an admin imports a CSV of businesses', async ({ page, person, checkAccessibility }) => {
  await setAdmin(person)
  const word = newWord()
  const [existing] = await newListings(word, 1)
  const file = [
    '\ufeffName;TYPE;Location;Phone;Latitude;Colour',
    `${word} Sol;Bar;Encamp, Andorra;+376 000 001;42,53;red`,
    `"${word} ""Luna""";Bar;Encamp, Andorra;;;`,
    `${word} Sol;Bar;Encamp;;;`,
    `${existing?.name};Bar;Encamp;;;`,
    `${word} Mar;B;;call me;north;`,
    '',
  ].join('\r\n')
  try {
    await page.goto('/admin?tab=import')
    await expect(panel(page).getByText('Required columns: name, type, location.')).toBeVisible()
    await checkAccessibility()
    await expectNoOverflow(page)
    await choose(page, 'Choose a CSV file', 'shops.csv', file)

    await expect(figure(page, 'Rows')).toHaveText('5')
    await expect(figure(page, 'Ready')).toHaveText('2')
    await expect(figure(page, 'With problems')).toHaveText('1')
    await expect(figure(page, 'Duplicates')).toHaveText('2')
    await expect(panel(page).getByText('Unknown columns, which are ignored: Colour')).toBeVisible()
    await expect(rowsOf(page).filter({ hasText: `Exists: ${existing?.name}` })).toHaveCount(1)
    await expect(rowsOf(page).filter({ hasText: 'Same as row 2' })).toHaveCount(1)
    await panel(page).getByLabel('State', { exact: true }).selectOption('Problem')
    await expect(rowsOf(page)).toHaveCount(1)
    for (const text of ['latitude: This is not a number', 'location: This is required', 'phone: A phone number has 7 to 15 digits', 'type: A type has 2 to 100 characters']) {
      await expect(rowsOf(page)).toContainText(text)
    }
    await checkAccessibility()
    await expectNoOverflow(page)

    const [saved] = await Promise.all([page.waitForEvent('download'), panel(page).getByRole('button', { name: 'Download rows with problems' }).click()])
    const text = await readFile(await saved.path(), 'utf8')
    expect(text).toContain('name,type,phone,latitude,row,problems')
    expect(text).toContain(`${word} Mar,B,call me,north,6,`)

    // The page can be left: the import is still there.
    await page.reload()
    await panel(page).getByLabel('Skip duplicates').uncheck()
    await expect(panel(page).getByRole('button', { name: 'Import 4 businesses' })).toBeVisible()
    await panel(page).getByLabel('Skip duplicates').check()
    await panel(page).getByRole('button', { name: 'Import 2 businesses' }).click()
    await expect(panel(page).getByText('2 businesses were added from shops.csv.')).toBeVisible()
    await expect(panel(page).getByText('Rows that were left out: 3')).toBeVisible()
    const { data } = await service().from('businesses').select('name, source, city_slug, latitude, is_claimed').like('name', `${word}%`).neq('name', existing?.name ?? '').order('name')
    expect(data).toEqual([
      { name: `${word} "Luna"`, source: 'CSV-upload', city_slug: 'encamp', latitude: 0, is_claimed: false },
      { name: `${word} Sol`, source: 'CSV-upload', city_slug: 'encamp', latitude: 42.53, is_claimed: false },
    ])
    const audited = await service().from('audit_logs').select('action, new_data').eq('user_id', person.id).eq('table_name', 'businesses')
    expect(audited.data).toMatchObject([{ action: 'INSERT', new_data: { file: 'shops.csv', rows: 2 } }])
    await page.goto(`/search?find_desc=${word}`)
    await expect(page.getByRole('link', { name: `${word} Sol` }).first()).toBeVisible()
  } finally {
    await removeListings(word)
  }
})

test('a file that cannot be read says why, and nothing is changed', once, async ({ page, person }) => {
  await setAdmin(person)
  await page.goto('/admin?tab=import')
  const files: [string | Buffer, string][] = [
    ['', 'It has no rows.'],
    ['Sol,Bar,Madrid\n', 'Its header row lacks these columns: name, type, location.'],
    [Buffer.from([...Buffer.from('name,type,location\nCaf'), 0xe9]), 'It is not UTF-8.'],
    [Buffer.from([80, 75, 3, 4, 0]), 'It is not a CSV file.'],
    ['name,type,location\nA,B,C\n"Sol,Bar,Madrid', 'A quoted text that begins in row 3 does not end.'],
    [`name,type,location\n${'Sol,Bar,Madrid\n'.repeat(50_001)}`, 'It has more than 50,000 rows.'],
  ]
  for (const [content, reason] of files) {
    await choose(page, 'Choose a CSV file', 'bad.csv', content)
    await expect(panel(page).getByRole('alert')).toContainText(reason)
  }
  const [saved] = await Promise.all([page.waitForEvent('download'), panel(page).getByRole('button', { name: 'Download template' }).click()])
  const template = await readFile(await saved.path())
  await choose(page, 'Choose a CSV file', 'template.csv', template)
  await expect(figure(page, 'Ready')).toHaveText('1')
  await panel(page).getByRole('button', { name: 'Discard' }).click()
  await expect(panel(page).getByLabel('Choose a CSV file', { exact: true })).toBeAttached()
})
