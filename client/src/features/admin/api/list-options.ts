import { keepPreviousData } from '@tanstack/react-query'

/** Other admins edit the same rows, so a list is refetched whenever it is shown. */
export const sharedList = {
  staleTime: 0,
  refetchOnWindowFocus: true,
  placeholderData: keepPreviousData,
} as const

/** Numbers in a confirmation before a deletion must be current. */
export const alwaysFresh = { staleTime: 0, gcTime: 0 } as const
