import { useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { lazyPart } from '@/components/lazy-part'
import { Skeleton } from '@/components/ui/skeleton'
import { useLive } from '@/lib/live'
import { wallClock, zoneFrom } from '@/lib/time'
import { businessBookingKeys } from '../api/keys'
import type { BookedBusiness } from '../api/queries'
import { readDate, readView } from '../model/calendar'
import { openBooking, withBooking } from '../model/open-booking'
import { ViewNav } from './calendar-bar'
import { Inbox } from './inbox'
import { useBookingActions } from './use-booking-actions'

const BookingSheet = lazyPart(async () => (await import('./booking-sheet')).BookingSheet)

// Only needed to decline or move a booking.
const ActionDialog = lazyPart(async () => (await import('./booking-dialogs')).ActionDialog)

const BookingCalendar = lazyPart(async () => (await import('./booking-calendar')).BookingCalendar)

/** The bookings of a business, for those who manage it (BOOK-18). */
export function BookingsScreen({ business }: { business: BookedBusiness }) {
  const [params, setParams] = useSearchParams()
  const client = useQueryClient()
  useLive(`business-bookings:${business.id}`, [
    {
      table: 'bookings',
      filter: `business_id=eq.${business.id}`,
      refetch: () =>
        client.invalidateQueries({ queryKey: businessBookingKeys.business(business.id) }),
    },
  ])
  const { openDialog, close, onAction, busy } = useBookingActions()
  const opened = openBooking(params)
  const view = readView(params)
  const today = wallClock(new Date(), zoneFrom(business.time_zone)).date
  const date = readDate(params, today)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <ViewNav view={view} date={date} />
      {view === 'list' ? (
        <Inbox businessId={business.id} onAction={onAction} busy={busy} />
      ) : (
        <Suspense fallback={<Skeleton className="h-96 rounded-card" />}>
          <BookingCalendar businessId={business.id} view={view} date={date} today={today} />
        </Suspense>
      )}
      <Suspense>
        {opened !== null && (
          <BookingSheet
            key={opened}
            businessId={business.id}
            bookingId={opened}
            onAction={onAction}
            busy={busy}
            onClose={() => setParams(withBooking(params, null), { preventScrollReset: true })}
          />
        )}
      </Suspense>
      <Suspense>{openDialog && <ActionDialog openDialog={openDialog} onClose={close} />}</Suspense>
    </div>
  )
}
