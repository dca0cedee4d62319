export const claimKeys = {
  all: ['claims'] as const,
  own: (businessId: string, userId: string) =>
    [...claimKeys.all, 'own', businessId, userId] as const,
  code: (claimId: string) => [...claimKeys.all, 'code', claimId] as const,
  documents: (claimId: string) => [...claimKeys.all, 'documents', claimId] as const,
}
