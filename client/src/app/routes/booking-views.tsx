import { Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { lazyPart } from '@/components/lazy-part'
import { Tabs } from '@/components/ui/tabs'
import { BookingList } from '@/features/bookings/components/booking-list'
import { messages } from '@/features/bookings/messages'
import type { Booking } from '@/features/bookings/model/booking'
import { calendarFile } from '@/features/bookings/model/calendar-file'
import { bookingViews, readView } from '@/features/bookings/model/view'
import { absoluteUrl } from '@/lib/language'
import { paths } from '@/lib/paths'

const ReviewDialog = lazyPart(
  async () => (await import('@/features/reviews/components/review-dialog')).ReviewDialog,
)

/** A user's upcoming and past bookings; the URL says which of the two is shown. */
export function BookingViews({ userId }: { userId: string }) {
  const [params, setParams] = useSearchParams()
  const handleChange = (view: string) => {
    const next = new URLSearchParams(params)
    if (view === 'past') next.set('view', view)
    else next.delete('view')
    setParams(next, { preventScrollReset: true })
  }
  const reviewed = params.get('review')
  const setReviewed = (businessId: string | null) => {
    const next = new URLSearchParams(params)
    if (businessId === null) next.delete('review')
    else next.set('review', businessId)
    setParams(next, { preventScrollReset: true })
  }
  return (
    <>
      <Tabs
        label={messages.views}
        value={readView(params)}
        onChange={handleChange}
        tabs={bookingViews.map((view) => ({
          key: view,
          label: messages[view],
          content: (
            <BookingList
              key={view}
              userId={userId}
              view={view}
              calendarHref={calendarHref}
              onReview={setReviewed}
            />
          ),
        }))}
      />
      {reviewed !== null && (
        <Suspense>
          <ReviewDialog
            key={reviewed}
            userId={userId}
            businessId={reviewed}
            onClose={() => setReviewed(null)}
          />
        </Suspense>
      )}
    </>
  )
}

/** An appointment as a calendar file, in a data URL. */
function calendarHref(booking: Booking): string {
  const path = booking.businessKey === null ? paths.bookings : paths.business(booking.businessKey)
  const file = calendarFile(
    {
      id: booking.id,
      title: `${booking.serviceName}, ${booking.businessName}`,
      date: booking.date,
      start: booking.start,
      duration: booking.duration,
      zone: booking.zone,
      place: booking.place,
      url: absoluteUrl(path),
    },
    new Date(),
  )
  return `data:text/calendar;charset=utf-8,${encodeURIComponent(file)}`
}
