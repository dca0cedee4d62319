export const cityKeys = {
  all: ['city'] as const,
  one: (slug: string) => [...cityKeys.all, slug] as const,
  nearby: (slug: string) => [...cityKeys.one(slug), 'nearby'] as const,
  categories: (slug: string) => [...cityKeys.one(slug), 'categories'] as const,
}
