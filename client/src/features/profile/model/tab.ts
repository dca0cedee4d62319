/** The tabs of the profile (PROFILE-01); the URL says which one is open. */
export const profileTabs = ['profile', 'account', 'notifications', 'security'] as const
export type ProfileTab = (typeof profileTabs)[number]

export function readTab(params: URLSearchParams): ProfileTab {
  return profileTabs.find((tab) => tab === params.get('tab')) ?? 'profile'
}
