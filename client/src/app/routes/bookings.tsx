import { useSearchParams } from 'react-router'
import { PageHeader } from '@/components/page-header'
import { Tabs } from '@/components/ui/tabs'
import { BookingList } from '@/features/bookings/components/booking-list'
import { messages } from '@/features/bookings/messages'
import type { Booking } from '@/features/bookings/model/booking'
import { calendarFile } from '@/features/bookings/model/calendar-file'
import { bookingViews, readView } from '@/features/bookings/model/view'
import { pageTitle, usePageMeta } from '@/lib/page-meta'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'

/** My Bookings (BOOK-17 to BOOK-19). */
export function Component() {
  usePageMeta({ title: pageTitle(messages.title) })
  const [params, setParams] = useSearchParams()
  const { user } = useSession()
  if (!user) return null
  return (
    <div className="page max-w-[52rem] pb-16">
      <PageHeader title={messages.title} />
      <Tabs
        label={messages.views}
        value={readView(params)}
        onChange={(view) =>
          setParams(view === 'past' ? { view } : {}, { preventScrollReset: true })
        }
        tabs={bookingViews.map((view) => ({
          key: view,
          label: messages[view],
          content: (
            <BookingList key={view} userId={user.id} view={view} calendarHref={calendarHref} />
          ),
        }))}
      />
    </div>
  )
}

/** An appointment as a file for the calendar, within the link itself. */
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
      url: new URL(path, window.location.origin).href,
    },
    new Date(),
  )
  return `data:text/calendar;charset=utf-8,${encodeURIComponent(file)}`
}
