import type { Page } from '@playwright/test'
import { service } from './accounts'
import { expectNoOverflow, find, newWord, rowsOf, setAdmin } from './admins'
import { expect, once, test } from './fixtures'

// Moving addresses. The migration is of all businesses, which other specs use: these are the last by their ids, and the
// browser's runs begin just before them and end with them, as another run of this test may be in progress.

/** Returns an id with room for some more after it, which no other run uses. */
function newPlace(): string {
  return `ffffffff-ffff-4fff-bfff-${crypto.randomUUID().slice(-9)}000`
}

const missing = 'Missing required parameters: location, category, id, companyName'

async function newShops(word: string, before: string): Promise<void> {
  const places = ['Encamp, Andorra', '東京', 'Madrid']
  const { error } = await service()
    .from('businesses')
    .insert(
      places.map((location, index) => ({
        id: `${before.slice(0, -1)}${index + 1}`,
        name: `${word} ${'abc'[index]}, S.L.`,
        type: 'Bar',
        location,
      })),
    )
  if (error) throw error
}

/** Makes each run of the browser begin after an id, and take as many businesses. */
async function runFrom(page: Page, before: string, counts: number[]): Promise<void> {
  await page.route('**/rpc/admin_migrate_urls', (route) =>
    route.continue({ postData: JSON.stringify({ p_after: before, p_limit: counts.shift() }) }),
  )
}

const start = (page: Page) => page.getByRole('button', { name: 'Start Migration' }).click()
const panel = (page: Page) => page.getByRole('tabpanel')

test('ADMIN-MIGR-01 ADMIN-MIGR-02 ADMIN-MIGR-03 ADMIN-MIGR-04 ADMIN-MIGR-05 ADMIN-MIGR-06 ADMIN-MIGR-07 ERR-62 RULE-25 RULE-26: an admin migrates addresses and follows an old one', once, async ({
  page,
  person,
  baseURL,
  checkAccessibility,
}) => {
  await setAdmin(person)
  const word = newWord()
  const before = newPlace()
  await newShops(word, before)
  await runFrom(page, before, [3, 1])
  try {
    await page.goto('/admin?tab=url-migration')
    for (const text of ['Total', 'Migrated', 'Remaining', `${baseURL}/business/{slug}`, `${baseURL}/{location}/{category}/{id}/{company}`]) {
      await expect(panel(page).getByText(text, { exact: true })).toBeVisible()
    }
    await expect(panel(page).getByRole('progressbar')).toBeVisible()
    await find(page, word, 3)
    const encamp = rowsOf(page).filter({ hasText: `${word} a` })
    await expect(encamp).toContainText(`/business/${word}-a`)
    await expect(encamp).toContainText(new RegExp(`/encamp/[a-z-]+/${before.slice(0, -12)}[0-9a-f]{12}/${word}-a`))
    await expect(rowsOf(page).filter({ hasText: `${word} b` })).toContainText(missing)
    await panel(page).getByLabel('Show', { exact: true }).selectOption('Only those that cannot be migrated')
    await expect(rowsOf(page)).toHaveCount(1)
    await checkAccessibility()
    await expectNoOverflow(page)

    await start(page)
    await expect(panel(page).getByText('Migration completed')).toBeVisible()
    await expect(panel(page).getByText('(2 successful, 1 errors)')).toBeVisible()
    await expect(panel(page).getByRole('listitem').filter({ hasText: `${word} b` })).toContainText(missing)
    // Another run finds only what failed.
    await start(page)
    await expect(panel(page).getByText('(0 successful, 1 errors)')).toBeVisible()
    await checkAccessibility()

    await page.goto(`/business/${word}-a`)
    await expect(page).toHaveURL(new RegExp(`/encamp/[a-z-]+/[0-9a-f-]{36}/${word}-a$`))
    await expect(page.getByRole('heading', { level: 1 })).toContainText(`${word} a`)
    const { data } = await service().from('url_redirects').select('redirect_type, is_active').like('old_url', `/business/${word}%`)
    expect(data).toEqual([{ redirect_type: 301, is_active: true }, { redirect_type: 301, is_active: true }])
  } finally {
    await service().from('businesses').delete().like('name', `${word}%`)
  }
})

test('ADMIN-MIGR-01 ERR-54: a migration is stopped and resumed, and a failure keeps what was done', once, async ({ page, person }) => {
  await setAdmin(person)
  // Batches of a server that has many.
  const batch = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => ({ business_id: String(from + n), name: `Shop ${n}`, old_url: '/a', new_url: '/b', error: null }))
  const answers: (() => Promise<unknown[]>)[] = []
  await page.route('**/rpc/admin_migrate_urls', async (route) => {
    const answer = answers.shift()
    if (answer) await route.fulfill({ json: await answer() })
    else await route.fulfill({ status: 500, json: { code: 'XX000', message: 'internal detail' } })
  })
  await page.goto('/admin?tab=url-migration')
  let send = () => {}
  const held = new Promise<void>((resolve) => {
    send = resolve
  })
  answers.push(async () => {
    await held
    return batch(0, 200)
  })
  await start(page)
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Stopping after this batch' })).toBeDisabled()
  send()
  await expect(panel(page).getByText('Migration stopped')).toBeVisible()
  await expect(panel(page).getByText('(200 successful, 0 errors)')).toBeVisible()

  answers.push(async () => batch(200, 200))
  await page.getByRole('button', { name: 'Resume Migration' }).click()
  await expect(panel(page).getByRole('alert').filter({ hasText: 'Migration failed' })).toContainText('(200 successful, 0 errors)')
  await expect(page.getByText('internal detail')).toHaveCount(0)
})
