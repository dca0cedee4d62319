import { Suspense, useState } from 'react'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { lazyPart } from '@/components/lazy-part'
import { PagedList } from '@/components/paged-list'
import { ButtonLink } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { paths } from '@/lib/paths'
import { useCancelBooking } from '../api/mutations'
import { useBookings } from '../api/use-bookings'
import { messages } from '../messages'
import { type Booking, whenLabel } from '../model/booking'
import type { BookingView } from '../model/view'
import { BookingCard } from './booking-card'

// Only needed to change a time.
const MoveDialog = lazyPart(async () => (await import('./move-dialog')).MoveDialog)

type BookingListProps = {
  userId: string
  view: BookingView
  /** Returns a data URL of the appointment as a calendar file. */
  calendarHref: (booking: Booking) => string
  /** Asks for a review of a business that the user visited. */
  onReview: (businessId: string) => void
}

/** The upcoming or past bookings, and the confirmation dialog before a cancellation. */
export function BookingList({ userId, view, calendarHref, onReview }: BookingListProps) {
  const query = useBookings(userId, view)
  const cancel = useCancelBooking()
  const [openDialog, setOpenDialog] = useState<Booking | null>(null)
  const [moved, setMoved] = useState<Booking | null>(null)
  const now = new Date()

  const handleCancel = (booking: Booking) => {
    setOpenDialog(null)
    cancel.mutate(booking.id)
  }

  return (
    <>
      <PagedList
        query={query}
        pending={<ListSkeleton />}
        empty={<NoBookings view={view} />}
        words={messages}
        className="grid gap-3"
      >
        {(booking) => (
          <BookingCard
            booking={booking}
            now={now}
            onCancel={setOpenDialog}
            onMove={setMoved}
            onReview={onReview}
            calendarHref={calendarHref}
          />
        )}
      </PagedList>
      <Suspense>{moved && <MoveDialog booking={moved} onClose={() => setMoved(null)} />}</Suspense>
      <ConfirmDialog
        open={openDialog !== null}
        onClose={() => setOpenDialog(null)}
        title={messages.cancelTitle}
        text={
          openDialog &&
          messages.cancelText(
            openDialog.serviceName,
            openDialog.businessName,
            whenLabel(openDialog, now),
          )
        }
        confirmLabel={messages.cancel}
        cancelLabel={messages.keep}
        onConfirm={() => openDialog && handleCancel(openDialog)}
      />
    </>
  )
}

function NoBookings({ view }: { view: BookingView }) {
  const upcoming = view === 'upcoming'
  return (
    <EmptyState
      title={upcoming ? messages.noUpcoming : messages.noPast}
      text={upcoming ? messages.noUpcomingText : messages.noPastText}
      action={<ButtonLink to={paths.search()}>{messages.search}</ButtonLink>}
    />
  )
}

function ListSkeleton() {
  return (
    <SkeletonGroup label={messages.pending} className="grid gap-3">
      <Skeleton className="h-44 rounded-card" />
      <Skeleton className="h-44 rounded-card" />
      <Skeleton className="h-44 rounded-card" />
    </SkeletonGroup>
  )
}
