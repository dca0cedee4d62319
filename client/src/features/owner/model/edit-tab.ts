/** The tabs of the edit screen, as named in the URL (OWNER-04, C-41). */
export const editTabs = ['details', 'services', 'photos', 'hours', 'amenities'] as const

export type EditTab = (typeof editTabs)[number]

/** Returns the tab in the URL, otherwise the first. */
export function readEditTab(params: URLSearchParams): EditTab {
  return editTabs.find((tab) => tab === params.get('tab')) ?? editTabs[0]
}
