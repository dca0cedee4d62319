import type { Role } from '@/lib/role'

const gated = [
  { key: 'overview' },
  { key: 'bookings' },
  { key: 'favorites' },
  { key: 'businesses', only: 'owner' },
  { key: 'admin', only: 'admin' },
] as const satisfies readonly { key: string; only?: Role }[]

export type DashboardTab = (typeof gated)[number]['key']

/** The tabs that somebody of a role has (DASH-02). */
export function tabsFor(role: Role): DashboardTab[] {
  return gated.filter((tab) => !('only' in tab) || tab.only === role).map(({ key }) => key)
}

/** The tab that the address names if the role has it, else the first. */
export function readTab(params: URLSearchParams, role: Role): DashboardTab {
  return tabsFor(role).find((tab) => tab === params.get('tab')) ?? 'overview'
}
