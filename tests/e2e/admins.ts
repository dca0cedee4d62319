import type { Locator, Page } from '@playwright/test'
import { service } from './accounts'
import { expect, type Person } from './fixtures'

/** Gives the admin role to a person, or removes it. */
export async function setAdmin({ id }: Person, role: 'admin' | 'user' = 'admin'): Promise<void> {
  const { error } = await service().from('profiles').update({ role }).eq('id', id)
  if (error) throw error
}

/** Returns a word that no other rows have in their names. */
export function newWord(): string {
  // Letters only: digits are also searched in display ids.
  return `q${crypto.randomUUID().replace(/[^a-f]/g, '')}x`
}

/** Accounts called 'Word 01', 'Word 02' …, created one after the other; they cannot sign in. */
export async function newUsers(word: string, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let number = 1; number <= count; number++) {
    const { data, error } = await service().auth.admin.createUser({
      email: `e2e-${crypto.randomUUID()}@plaza.test`,
      user_metadata: { full_name: `${word} ${String(number).padStart(2, '0')}` },
    })
    if (error) throw error
    ids.push(data.user.id)
  }
  return ids
}

export type Listing = { id: string; name: string; display_id: string }

/** Businesses without an owner called 'Word 01' …, with their own type. */
export async function newListings(word: string, count: number): Promise<Listing[]> {
  const rows = Array.from({ length: count }, (_, index) => ({
    name: `${word} ${String(index + 1).padStart(2, '0')}`,
    type: `Type ${word}`,
    location: 'Encamp, Andorra',
  }))
  const { data, error } = await service()
    .from('businesses')
    .insert(rows)
    .select('id, name, display_id')
    .order('name')
  if (error) throw error
  return data
}

/** The rows of the list on the screen: of the table, or the cards of a phone. */
export function rowsOf(page: Page): Locator {
  return page
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
    .or(
      page
        .getByRole('tabpanel')
        .getByRole('listitem')
        .filter({ has: page.locator('dl') }),
    )
}

/** Searches the list and waits for the results. */
export async function find(page: Page, text: string, count: number): Promise<void> {
  const panel = page.getByRole('tabpanel')
  await panel.getByRole('search').getByRole('textbox').fill(text)
  await expect(page).toHaveURL((url) => (url.searchParams.get('q') ?? '') === text)
  // Until then the rows before may be shown, and be as many.
  await expect(panel.locator('[aria-busy="true"]')).toHaveCount(0)
  await expect(rowsOf(page)).toHaveCount(count)
}

/** Checks that nothing makes the page wider than the screen. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const excess = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(excess).toBeLessThanOrEqual(0)
}
