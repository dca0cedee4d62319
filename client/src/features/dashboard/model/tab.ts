import type { Role } from '@/lib/role'

const gated = [
  { key: 'overview' },
  { key: 'bookings' },
  { key: 'favorites' },
  { key: 'businesses', only: 'owner' },
  { key: 'admin', only: 'admin' },
] as const satisfies readonly { key: string; only?: Role }[]

export type DashboardTab = (typeof gated)[number]['key']

/** Returns the tabs for a role (DASH-02). */
export function tabsFor(role: Role): DashboardTab[] {
  return gated.filter((tab) => !('only' in tab) || tab.only === role).map(({ key }) => key)
}

/** Returns the tab in the URL if the role has it, otherwise the first. */
export function readTab(params: URLSearchParams, role: Role): DashboardTab {
  return tabsFor(role).find((tab) => tab === params.get('tab')) ?? 'overview'
}
