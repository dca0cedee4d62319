export const photoKeys = {
  all: ['photos'] as const,
  list: (businessId: string) => [...photoKeys.all, businessId] as const,
}
