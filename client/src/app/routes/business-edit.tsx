import { useCallback } from 'react'
import { useNavigate, useParams } from 'react-router'
import { useShellAccount } from '@/app/layouts/use-account'
import { EditFrame } from '@/features/owner/components/edit-frame'
import { messages } from '@/features/owner/messages'
import { pageTitle, usePageMeta } from '@/lib/page-meta'
import { paths } from '@/lib/paths'
import { AdminParts, BusinessParts } from './business-parts'

/** Edits a business, at either of its addresses (ROUTE-30, OWNER-03). */
export function Component() {
  usePageMeta({ title: pageTitle(messages.editTitle) })
  const { id = '' } = useParams()
  const navigate = useNavigate()
  const account = useShellAccount()
  const handleGiveUp = useCallback(
    () => void navigate(paths.myBusinesses, { replace: true }),
    [navigate],
  )
  if (account.status !== 'signed-in') return null
  const { userId, role } = account
  const isAdmin = role === 'admin'
  return (
    <div className="page pb-16">
      <EditFrame
        id={id}
        userId={userId}
        isAdmin={isAdmin}
        onGiveUp={handleGiveUp}
        without={<AdminParts id={id} userId={userId} />}
      >
        {(business) => (
          <BusinessParts key={business.id} business={business} userId={userId} isAdmin={isAdmin} />
        )}
      </EditFrame>
    </div>
  )
}
