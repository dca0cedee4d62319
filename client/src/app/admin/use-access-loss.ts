import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isAccessLost } from '@/features/admin/model/refusal'
import { accountQuery } from '@/features/auth/api/queries'

type Failure = { type: string; action?: { type: string; error?: unknown } }

/**
 * Refetches the user's role when the database reports that the user is no longer an admin, because
 * another admin removed the role. The guard around the panel then handles it.
 */
export function useAccessLoss(userId: string): void {
  const client = useQueryClient()
  useEffect(() => {
    const handleFailure = ({ type, action }: Failure) => {
      if (type !== 'updated' || action?.type !== 'error' || !isAccessLost(action.error)) return
      void client.invalidateQueries({ queryKey: accountQuery(userId).queryKey })
    }
    const ends = [
      client.getQueryCache().subscribe(handleFailure),
      client.getMutationCache().subscribe(handleFailure),
    ]
    return () => {
      for (const end of ends) end()
    }
  }, [client, userId])
}
