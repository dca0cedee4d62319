export const locationKeys = {
  current: ['location'] as const,
  place: (slug: string) => ['location', 'place', slug] as const,
}
