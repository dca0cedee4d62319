import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { landing } from '@/app/landing'
import { accountQuery } from '@/features/auth/api/queries'
import { takeReturn } from '@/lib/return-path'
import { useSession } from '@/lib/session'

/**
 * Leaves for where a signed-in person belongs, as soon as there is a session: by the
 * form, by the code of a mail, or because the link was opened in another tab.
 */
export function useLanding({
  isWanted,
  offersBusiness,
}: {
  isWanted: boolean
  offersBusiness: boolean
}): void {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { user } = useSession()
  const userId = user?.id
  useEffect(() => {
    if (!isWanted || userId === undefined) return
    let isLeft = false
    // Without the account one lands as anybody; the guard of the next page looks again.
    void client
      .fetchQuery(accountQuery(userId))
      .catch(() => null)
      .then((account) => {
        if (isLeft) return
        void navigate(landing({ stored: takeReturn(), account, offersBusiness }), { replace: true })
      })
    return () => {
      isLeft = true
    }
  }, [client, navigate, isWanted, offersBusiness, userId])
}
