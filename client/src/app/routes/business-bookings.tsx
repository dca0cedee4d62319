import { useParams } from 'react-router'
import { useShellAccount } from '@/app/layouts/use-account'
import { BookingsFrame } from '@/features/business-bookings/components/bookings-frame'
import { BookingsScreen } from '@/features/business-bookings/components/bookings-screen'
import { WalkInButton } from '@/features/business-bookings/components/walk-in-button'
import { messages } from '@/features/business-bookings/messages'
import { pageTitle, usePageMeta } from '@/lib/page-meta'

/** The bookings of a business, for its owner and admins (BOOK-18). */
export function Component() {
  usePageMeta({ title: pageTitle(messages.title) })
  const { id = '' } = useParams()
  const account = useShellAccount()
  if (account.status !== 'signed-in') return null
  const { userId, role } = account
  return (
    <div className="page pb-16">
      <BookingsFrame
        id={id}
        userId={userId}
        isAdmin={role === 'admin'}
        actions={(business) => <WalkInButton business={business} />}
      >
        {(business) => <BookingsScreen business={business} />}
      </BookingsFrame>
    </div>
  )
}
