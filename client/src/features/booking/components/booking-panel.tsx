import { lazy, Suspense } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Skeleton } from '@/components/ui/skeleton'
import { formatMoney } from '@/lib/money'
import { formatDay, formatDuration } from '@/lib/time'
import { messages } from '../messages'
import { actionOf } from '../model/action'
import type { Booking } from '../model/use-booking'
import type { BookingFormProps } from './booking-form'

// The page is there before its form: calendar, slots and all come right after it.
const LazyForm = lazy(() =>
  import('./booking-form').then((module) => ({ default: module.BookingForm })),
)

function BookingForm(props: BookingFormProps) {
  return (
    <Suspense fallback={<Skeleton className="h-[26rem] rounded-control" />}>
      <LazyForm {...props} />
    </Suspense>
  )
}

type BookingPanelProps = BookingFormProps

/** Id of the panel's title, which gets the focus when the page leads there. */
export const bookingTitleId = 'booking-title'

function titleOf({ done, service }: Booking): string {
  return done ? messages.success : (service?.name ?? messages.title)
}

/** The booking beside the page, where the screen is wide enough. */
export function BookingPanel(props: BookingPanelProps) {
  return (
    <section
      aria-labelledby={bookingTitleId}
      className="max-h-[calc(100dvh-6rem)] overflow-y-auto rounded-panel border border-line bg-surface p-(--pad) shadow-float [--pad:1.25rem]"
    >
      <h2 id={bookingTitleId} tabIndex={-1} className="text-xl outline-none">
        {titleOf(props.booking)}
      </h2>
      <Summary booking={props.booking} />
      <div className="mt-4">
        <BookingForm {...props} />
      </div>
    </section>
  )
}

/** What is chosen so far: how long, how much, when. */
function Summary({ booking: { service, date, time } }: { booking: Booking }) {
  if (!service) return null
  const when = date && `${formatDay(date)}${time === null ? '' : `, ${time}`}`
  return (
    <p className="nums mt-1 text-sm text-muted">
      {formatDuration(service.duration)} · {formatMoney(service.price)}
      {when && <span className="font-semibold text-ink"> · {when}</span>}
    </p>
  )
}

/** The booking on phones: a bar that stays in sight, and the form in a sheet from below. */
export function BookingDock({
  open,
  onOpen,
  onClose,
  ...props
}: BookingPanelProps & { open: boolean; onOpen: () => void; onClose: () => void }) {
  const { booking } = props
  const { service, services, date, time } = booking
  const cheapest = services.length > 0 ? Math.min(...services.map((one) => one.price)) : null
  return (
    <>
      <div className="fixed inset-x-0 bottom-0 z-30 border-line border-t bg-surface pb-[env(safe-area-inset-bottom)]">
        <div className="page flex items-center justify-between gap-4 py-3">
          <div className="nums grid min-w-0 text-sm">
            <span className="truncate font-semibold">
              {service?.name ??
                (cheapest === null ? messages.noServices : messages.from(formatMoney(cheapest)))}
            </span>
            {service && (
              <span className="truncate text-muted">
                {formatMoney(service.price)}
                {date && ` · ${formatDay(date)}`}
                {time && `, ${time}`}
              </span>
            )}
          </div>
          <Button className="shrink-0" onClick={onOpen}>
            {service ? actionOf(booking) : messages.bookNow}
          </Button>
        </div>
      </div>
      <Dialog open={open} onClose={onClose} shape="sheet" title={titleOf(booking)}>
        <Summary booking={booking} />
        <div className="mt-3 [--pad:1.5rem]">
          <BookingForm {...props} />
        </div>
      </Dialog>
    </>
  )
}
