import { QueryState } from '@/components/query-state'
import { Badge } from '@/components/ui/badge'
import { ButtonLink } from '@/components/ui/button'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { Widget } from '@/components/widget'
import { statusLabel, statusTone } from '@/lib/booking-status'
import { paths } from '@/lib/paths'
import { useBookings } from '../api/use-bookings'
import { messages } from '../messages'
import { type Booking, isUpcoming, whenLabel } from '../model/booking'

/** Number of bookings on the dashboard (DASH-05, CONST-17). */
const shownCount = 3

/** The next appointments, and a link to all of them. */
export function UpcomingCard({ userId, allHref }: { userId: string; allHref: string }) {
  const query = useBookings(userId, 'upcoming')
  const now = new Date()
  const next = (pages: readonly { items: readonly Booking[] }[]) =>
    pages.flatMap(({ items }) => items).filter((booking) => isUpcoming(booking, now))
  return (
    <Widget
      title={messages.upcomingTitle}
      action={
        <ButtonLink to={allHref} variant="outline">
          {messages.manage}
        </ButtonLink>
      }
    >
      <QueryState
        query={query}
        errorTitle={messages.error}
        pending={
          <SkeletonGroup label={messages.pending} className="grid gap-3">
            <Skeleton className="h-16" />
            <Skeleton className="h-16" />
            <Skeleton className="h-16" />
          </SkeletonGroup>
        }
        isEmpty={({ pages }) => next(pages).length === 0}
        empty={<NoUpcomingBooking />}
      >
        {({ pages }) => (
          <ul className="divide-y divide-line">
            {next(pages)
              .slice(0, shownCount)
              .map((booking) => (
                <li key={booking.id} className="grid gap-0.5 py-3 first:pt-0">
                  <div className="flex items-start justify-between gap-3">
                    <h3 className="font-text text-base font-semibold tracking-normal [overflow-wrap:anywhere]">
                      {booking.serviceName}
                    </h3>
                    <Badge tone={statusTone(booking.status)}>{statusLabel(booking.status)}</Badge>
                  </div>
                  <p className="text-sm [overflow-wrap:anywhere]">{booking.businessName}</p>
                  <p className="nums text-sm text-muted">{whenLabel(booking, now)}</p>
                </li>
              ))}
          </ul>
        )}
      </QueryState>
    </Widget>
  )
}

function NoUpcomingBooking() {
  return (
    <div className="grid justify-items-start gap-3">
      <p className="text-muted">
        {messages.noUpcoming}. {messages.noUpcomingText}
      </p>
      <ButtonLink to={paths.search()} variant="soft">
        {messages.search}
      </ButtonLink>
    </div>
  )
}
