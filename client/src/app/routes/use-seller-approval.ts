import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { accountQuery } from '@/features/auth/api/queries'
import { applicationQuery } from '@/features/seller/api/queries'
import type { Role } from '@/lib/role'

/**
 * Refetches the role when the application of a user who is not a seller yet was approved
 * (SELLER-07, C-20).
 */
export function useSellerApproval(userId: string, role: Role | null): void {
  const client = useQueryClient()
  const { data } = useQuery({
    ...applicationQuery(userId),
    enabled: userId !== '' && role === 'user',
  })
  const isApproved = role === 'user' && data?.status === 'approved'
  useEffect(() => {
    if (isApproved) void client.invalidateQueries({ queryKey: accountQuery(userId).queryKey })
  }, [client, userId, isApproved])
}
