/** The tabs of a business on the dashboard, in their order; a new one is an entry here and its content in the route (DASH-13). */
export const businessParts = ['metrics', 'analytics', 'availability', 'reviews'] as const

type BusinessPart = (typeof businessParts)[number]

/** The tab that the address names, else the first. */
export function readPart(params: URLSearchParams): BusinessPart {
  return businessParts.find((part) => part === params.get('part')) ?? businessParts[0]
}
