/** The tabs of the security page (SEC-02); the URL says which one is open. */
export const securityTabs = ['overview', 'two-factor', 'sessions', 'activity'] as const
export type SecurityTab = (typeof securityTabs)[number]

export function readTab(params: URLSearchParams): SecurityTab {
  return securityTabs.find((tab) => tab === params.get('tab')) ?? 'overview'
}
