import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { landingPath } from '@/app/landing'
import { accountQuery } from '@/features/auth/api/queries'
import { takeReturn } from '@/lib/return-path'
import { useSession } from '@/lib/session'

/**
 * Redirects a signed-in user to the landing page as soon as there is a session: from the form, from
 * the code in a mail, or because the link was opened in another tab.
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
    // If the account cannot be loaded, the user lands as a plain user; the next page's guard checks
    // again.
    void client
      .fetchQuery(accountQuery(userId))
      .catch(() => null)
      .then((account) => {
        if (isLeft) return
        void navigate(landingPath({ stored: takeReturn(), account, offersBusiness }), {
          replace: true,
        })
      })
    return () => {
      isLeft = true
    }
  }, [client, navigate, isWanted, offersBusiness, userId])
}
