export const serviceKeys = {
  list: (businessId: string) => ['services', 'list', businessId] as const,
}
