import { keepPreviousData } from '@tanstack/react-query'

/** Other admins work on the same rows, so a list is read again whenever it is looked at. */
export const sharedList = {
  staleTime: 0,
  refetchOnWindowFocus: true,
  placeholderData: keepPreviousData,
} as const

/** What a question before a deletion tells must be of now. */
export const asked = { staleTime: 0, gcTime: 0 } as const
