/**
 * The panels by their `tab` value (ADMIN-USERS-06); the first is the default. Add a panel by adding
 * its name here.
 */
export const adminTabs = [
  'businesses',
  'users',
  'categories',
  'locations',
  'url-migration',
  'import',
  'claims',
  'applications',
  'reports',
  'audit',
  'integrity',
  'schema',
  'test-users',
  'test-tools',
  'metrics',
  'support',
] as const
export type AdminTab = (typeof adminTabs)[number]

export function readTab(params: URLSearchParams): AdminTab {
  return adminTabs.find((tab) => tab === params.get('tab')) ?? adminTabs[0]
}

const queues = ['claims', 'applications', 'reports', 'support'] as const
/** A panel of what waits for an admin. */
export type Queue = (typeof queues)[number]

export function isQueue(tab: AdminTab): tab is Queue {
  return queues.some((queue) => queue === tab)
}
