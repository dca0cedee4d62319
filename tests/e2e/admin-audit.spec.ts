import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { service, tabTo } from './accounts'
import { expectNoOverflow, find, newListings, newWord, rowsOf, setAdmin } from './admins'
import { expect, once, test } from './fixtures'

const dialog = (page: Page) => page.getByRole('dialog')

/** A business with a word of its own that was created, renamed and deleted, all by the server. */
async function newHistory(): Promise<{ id: string; word: string; renamed: string }> {
  const word = newWord()
  const [shop] = await newListings(word, 1)
  if (!shop) throw new Error('no business')
  const renamed = `${word} renamed`
  const changed = await service().from('businesses').update({ name: renamed }).eq('id', shop.id)
  if (changed.error) throw changed.error
  const deleted = await service().from('businesses').delete().eq('id', shop.id)
  if (deleted.error) throw deleted.error
  return { id: shop.id, word, renamed }
}

async function countOfLogs(): Promise<number> {
  const { count, error } = await service().from('audit_logs').select('*', { count: 'exact', head: true })
  if (error) throw error
  return count ?? 0
}

test('ADMIN-AUDIT-01: the totals count the whole log, not the rows that are loaded', once, async ({ page, person }) => {
  await setAdmin(person)
  await page.goto('/admin?tab=audit')
  // A change that an account made, not the server.
  const status = await page.evaluate(async (id) => {
    const session = JSON.parse(localStorage.getItem('plaza.auth') ?? '{}')
    const answer = await fetch(`/rest/v1/profiles?id=eq.${id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${session.access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ full_name: 'Audited Admin' }),
    })
    return answer.status
  }, person.id)
  expect(status).toBe(204)
  const before = await countOfLogs()
  await page.reload()
  const totals = page.getByLabel('Totals')
  const value = async (name: string) => {
    const text = await totals.locator('div').filter({ hasText: name }).locator('dd').innerText()
    return Number(text.replaceAll(',', ''))
  }
  await expect(totals.locator('dt')).toHaveText(['Total Logs', "Today's Actions", 'Active Users', 'Monitored Tables'])
  // Other tests write meanwhile.
  const shown = await value('Total Logs')
  expect(shown).toBeGreaterThanOrEqual(before)
  expect(shown).toBeLessThanOrEqual(await countOfLogs())
  expect(before).toBeGreaterThan(0)
  expect(await value("Today's Actions")).toBeLessThanOrEqual(shown)
  expect(await value('Active Users')).toBeGreaterThan(0)
  expect(await value('Monitored Tables')).toBeGreaterThan(10)
})

test('ADMIN-AUDIT-02 ADMIN-AUDIT-03 ADMIN-AUDIT-05 CONST-19: the log is searched, filtered and read', async ({
  page,
  person,
  checkAccessibility,
}) => {
  await setAdmin(person)
  const { id, word, renamed } = await newHistory()
  const requested = page.waitForRequest((request) => request.url().includes('/audit_logs_with_actor?'))
  await page.goto('/admin?tab=audit')
  const order = new URL((await requested).url()).searchParams
  expect([order.get('order'), order.get('limit')]).toEqual(['created_at.desc,id.asc', '100'])
  await expect(rowsOf(page).first()).toBeVisible()

  await find(page, id, 3)
  await expect(rowsOf(page).nth(0)).toContainText('Deleted')
  await expect(rowsOf(page).nth(1)).toContainText('Changed')
  await expect(rowsOf(page).nth(2)).toContainText('Created')
  await expect(rowsOf(page).first()).toContainText(/20\d\d-\d\d-\d\d \d\d:\d\d:\d\d/)
  await expect(rowsOf(page).first()).toContainText('Server')
  await checkAccessibility()
  await expectNoOverflow(page)

  await page.getByLabel('Action', { exact: true }).selectOption('Changed')
  await expect(rowsOf(page)).toHaveCount(1)
  await expect(page).toHaveURL(`/admin?tab=audit&q=${id}&action=UPDATE`)
  // By keyboard: the details show old and new values side by side.
  const view = rowsOf(page).getByRole('button', { name: 'View Details' })
  await tabTo(page, view)
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('row', { name: /^name / })).toHaveText(`name${word} 01${renamed}`)
  await checkAccessibility()
  await page.keyboard.press('Escape')
  await expect(view).toBeFocused()

  await page.getByLabel('Table', { exact: true }).selectOption('reviews')
  await expect(page.getByText('No audit logs found')).toBeVisible()
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(page).toHaveURL('/admin?tab=audit')
  // The search finds table names, too.
  await page.getByRole('tabpanel').getByRole('search').getByRole('textbox').fill('businesse')
  await expect(page).toHaveURL(/q=businesse/)
  await expect(rowsOf(page).first()).toContainText('businesses')
})

test('ADMIN-AUDIT-03: an entry is opened by its address, also when it is not on the page', once, async ({ page, person }) => {
  await setAdmin(person)
  const { id, word } = await newHistory()
  const { data } = await service().from('audit_logs').select('id').eq('record_id', id).eq('action', 'INSERT').single()
  await page.goto(`/admin?tab=audit&action=DELETE&row=${data?.id}`)
  await expect(dialog(page)).toContainText('Created: businesses')
  await expect(dialog(page)).toContainText(`${word} 01`)
  await page.goto(`/admin?tab=audit&row=${crypto.randomUUID()}`)
  await expect(dialog(page)).toContainText('no longer')
})

test('ADMIN-AUDIT-04: what the filters show is exported as CSV', once, async ({ page, person }) => {
  await setAdmin(person)
  const { id, word } = await newHistory()
  await page.goto('/admin?tab=audit')
  await find(page, id, 3)
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  expect(saved.suggestedFilename()).toMatch(/^audit-logs-20\d\d-\d\d-\d\d\.csv$/)
  const lines = (await readFile(await saved.path(), 'utf8')).trim().split(/\r?\n/)
  expect(lines).toHaveLength(4)
  expect(lines[0]).toContain('table_name')
  expect(lines[1]).toContain('DELETE')
  expect(lines[3]).toContain('INSERT')
  expect(lines[3]).toContain(word)
})

test('ADMIN-AUDIT-02: nobody but admins reads the log', once, async ({ page, person: _ }) => {
  const read = page.waitForResponse((response) => response.url().includes('/rest/v1/profiles'))
  await page.goto('/admin?tab=audit')
  await read
  await expect(page).toHaveURL('/')
  const { count } = await service().from('audit_logs').select('*', { count: 'exact', head: true })
  expect(count).toBeGreaterThan(0)
  const visible = await page.evaluate(async () => {
    const session = JSON.parse(localStorage.getItem('plaza.auth') ?? '{}')
    const answer = await fetch('/rest/v1/audit_logs_with_actor?limit=1', {
      headers: { authorization: `Bearer ${session.access_token}` },
    })
    return { status: answer.status, rows: await answer.json() }
  })
  expect(visible).toEqual({ status: 200, rows: [] })
})
