export const businessKeys = {
  all: ['businesses'] as const,
  topRated: (city: string) => [...businessKeys.all, 'top-rated', city] as const,
  recent: (place: string, limit: number) => [...businessKeys.all, 'recent', place, limit] as const,
  search: (terms: object) => [...businessKeys.all, 'search', terms] as const,
  detail: (key: string) => [...businessKeys.all, 'detail', key] as const,
  reviews: (id: string) => [...businessKeys.all, 'reviews', id] as const,
  ratings: (id: string) => [...businessKeys.all, 'ratings', id] as const,
  redirect: (path: string) => [...businessKeys.all, 'redirect', path] as const,
}
