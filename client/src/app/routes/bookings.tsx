import { PageHeader } from '@/components/page-header'
import { messages } from '@/features/bookings/messages'
import { pageTitle, usePageMeta } from '@/lib/page-meta'
import { useSession } from '@/lib/session'
import { BookingViews } from './booking-views'

/** My Bookings (BOOK-17 to BOOK-19). */
export function Component() {
  usePageMeta({ title: pageTitle(messages.title) })
  const { user } = useSession()
  if (!user) return null
  return (
    <div className="page max-w-[52rem] pb-16">
      <PageHeader title={messages.title} />
      <BookingViews userId={user.id} />
    </div>
  )
}
