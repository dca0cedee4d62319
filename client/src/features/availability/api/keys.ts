export const availabilityKeys = {
  all: ['availability'] as const,
  of: (businessId: string) => [...availabilityKeys.all, businessId] as const,
}
