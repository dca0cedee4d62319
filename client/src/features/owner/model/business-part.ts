/**
 * The tabs of a business on the dashboard, in order. To add one, add it here and its content in the
 * route (DASH-13).
 */
export const businessParts = ['metrics', 'analytics', 'availability', 'reviews'] as const

type BusinessPart = (typeof businessParts)[number]

/** Returns the tab in the URL, otherwise the first. */
export function readPart(params: URLSearchParams): BusinessPart {
  return businessParts.find((part) => part === params.get('part')) ?? businessParts[0]
}
