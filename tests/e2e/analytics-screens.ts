import type { Locator, Page } from '@playwright/test'
import type { Person } from './fixtures'
import { givePlan } from './owners'
import { recordVisits, shopDay, type Visit, visitedShopOf } from './visited-shops'

export const analytics = '/dashboard?tab=businesses&part=analytics'

/** A total with its label, such as 'Revenue'. */
export function total(page: Page, label: string): Locator {
  return page.getByLabel('Totals').locator('div', { has: page.getByText(label, { exact: true }) })
}

export async function cut(person: Person, visits: readonly Visit[]) {
  await givePlan(person, 'pro')
  const shop = await visitedShopOf(person, { Cut: 20, Colour: 55.5, Wash: 10 })
  await recordVisits(shop, visits)
  return shop
}

export const visit = (
  days: number,
  start: string,
  service = 'Cut',
  status: Visit['status'] = 'completed',
) => ({ service, date: shopDay(days), start, status }) satisfies Visit
