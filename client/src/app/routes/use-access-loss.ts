import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isAccessLost } from '@/features/admin/model/refusal'
import { accountQuery } from '@/features/auth/api/queries'

type Failure = { type: string; action?: { type: string; error?: unknown } }

/**
 * Reads the own role again once the database says that one is no admin any more: another admin took
 * it away. The guard around the panel then does the rest.
 */
export function useAccessLoss(userId: string): void {
  const client = useQueryClient()
  useEffect(() => {
    const hear = ({ type, action }: Failure) => {
      if (type !== 'updated' || action?.type !== 'error' || !isAccessLost(action.error)) return
      void client.invalidateQueries({ queryKey: accountQuery(userId).queryKey })
    }
    const ends = [client.getQueryCache().subscribe(hear), client.getMutationCache().subscribe(hear)]
    return () => {
      for (const end of ends) end()
    }
  }, [client, userId])
}
