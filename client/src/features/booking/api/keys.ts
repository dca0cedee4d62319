export const bookingKeys = {
  all: ['booking'] as const,
  slotsOf: (businessId: string) => [...bookingKeys.all, 'slots', businessId] as const,
  slots: (businessId: string, serviceId: string, date: string) =>
    [...bookingKeys.slotsOf(businessId), serviceId, date] as const,
  nextFree: (businessId: string, serviceId: string) =>
    [...bookingKeys.slotsOf(businessId), 'next', serviceId] as const,
}
