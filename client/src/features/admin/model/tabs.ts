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
