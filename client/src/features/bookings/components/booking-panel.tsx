import { Suspense } from 'react'
import { lazyPart } from '@/components/lazy-part'
import { Skeleton } from '@/components/ui/skeleton'
import { formatMoney } from '@/lib/money'
import { formatDay, formatDuration } from '@/lib/time'
import type { BookingFlow } from '../model/use-booking'
import { messages } from '../panel-messages'
import type { BookingFormProps } from './booking-form'

// The page renders before its form: calendar, slots and the rest are loaded right after it.
export const loadForm = () => import('./booking-form')
const LazyForm = lazyPart(async () => (await loadForm()).BookingForm)

export function BookingForm(props: BookingFormProps) {
  return (
    <Suspense fallback={<Skeleton className="h-[26rem] rounded-control" />}>
      <LazyForm {...props} />
    </Suspense>
  )
}

export type BookingPanelProps = BookingFormProps

/** Id of the panel's title, which is focused when the page scrolls to it. */
export const bookingTitleId = 'booking-title'

export function titleOf({ done, service }: BookingFlow): string {
  return done ? messages.success : (service?.name ?? messages.title)
}

/** The booking panel next to the page, on wide screens. */
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

/** The selection so far: duration, price, time. */
export function Summary({ booking: { service, date, time } }: { booking: BookingFlow }) {
  if (!service) return null
  const when = date && `${formatDay(date)}${time === null ? '' : `, ${time}`}`
  return (
    <p className="nums mt-1 text-sm text-muted">
      {formatDuration(service.duration)} · {formatMoney(service.price)}
      {when && <span className="font-semibold text-ink"> · {when}</span>}
    </p>
  )
}
