import type { Locator, Page } from '@playwright/test'
import { service } from './accounts'
import type { Person } from './fixtures'
import { givePlan, type Shop, shopOf } from './owners'
import { shopDay } from './visited-shops'

export const metrics = '/dashboard?tab=businesses&part=metrics'
/** Not a constant: a run may begin before midnight and end after it. */
export const today = () => shopDay(0)

export type Day = { days: number } & Record<string, number | null>

/** Writes figures of some days before today, as the roll-up would have written them. */
export async function recordDays(
  table: 'business_metrics' | 'advertiser_metrics',
  shop: Shop,
  rows: readonly Day[],
) {
  const { error } = await service()
    .from(table)
    .insert(
      rows.map(({ days, ...figures }) => ({
        business_id: shop.id,
        metric_date: shopDay(-days),
        ...figures,
      })),
      { defaultToNull: false },
    )
  if (error) throw error
}

export async function measured(person: Person, business: readonly Day[], ads: readonly Day[] = []) {
  await givePlan(person, 'pro')
  const shop = await shopOf(person)
  await recordDays('business_metrics', shop, business)
  await recordDays('advertiser_metrics', shop, ads)
  return shop
}

export const tab = (page: Page, name: string) =>
  page.getByRole('tablist', { name: 'Parts of the metrics' }).getByRole('tab', { name })
export const adTab = (page: Page, name: string) =>
  page.getByRole('tablist', { name: 'Parts of advertising' }).getByRole('tab', { name })

export const labels = (page: Page) => page.getByLabel('Figures').locator('dt').allInnerTexts()

/** A figure with its label, such as 'Calls'. */
export function figure(page: Page, label: string): Locator {
  return page
    .getByLabel('Figures')
    .locator('div', { has: page.getByText(label, { exact: true }) })
}

export const summary = (page: Page, of: 'the business' | 'advertising') =>
  page.getByRole('table', { name: `Summary of ${of}` })

/** Returns the cells of a table row, found by its first cell. */
export async function cells(table: Locator, name: string): Promise<string[]> {
  const row = table.getByRole('row').filter({ has: table.page().getByRole('cell', { name, exact: true }) })
  return (await row.getByRole('cell').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim())
}
