import type { ReviewGroup } from '../model/group'

export const reviewKeys = {
  all: ['reviews'] as const,
  of: (businessId: string) => [...reviewKeys.all, businessId] as const,
  list: (businessId: string, group: ReviewGroup) =>
    [...reviewKeys.of(businessId), 'list', group] as const,
  own: (userId: string, businessId: string) =>
    [...reviewKeys.of(businessId), 'own', userId] as const,
  counts: (businessId: string) => [...reviewKeys.of(businessId), 'counts'] as const,
}
