/** The parts of a listing that can be edited, as the address names them (OWNER-04). */
export const editTabs = ['photos'] as const

export type EditTab = (typeof editTabs)[number]

/** The tab that the address names, else the first. */
export function readEditTab(params: URLSearchParams): EditTab {
  return editTabs.find((tab) => tab === params.get('tab')) ?? editTabs[0]
}
