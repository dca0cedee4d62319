/** The parts of a listing that can be edited, as the address names them (OWNER-04, C-41). */
export const editTabs = ['details', 'services', 'photos', 'hours', 'amenities'] as const

export type EditTab = (typeof editTabs)[number]

/** The tab that the address names, else the first. */
export function readEditTab(params: URLSearchParams): EditTab {
  return editTabs.find((tab) => tab === params.get('tab')) ?? editTabs[0]
}
