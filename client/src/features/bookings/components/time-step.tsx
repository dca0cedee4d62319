import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useRef } from 'react'
import { lazyPart } from '@/components/lazy-part'
import { QueryState } from '@/components/query-state'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { showToast } from '@/components/ui/toast'
import { formatDay } from '@/lib/time'
import { readerZone, zoneNote } from '@/lib/zone-note'
import { nextFreeQuery } from '../api/slot-queries'
import { nearestFree, type Slot, whyFull } from '../model/slots'
import type { BookingFlow } from '../model/use-booking'
import { messages } from '../panel-messages'
import { BookingFailure } from './booking-failure'
import { SlotGrid } from './slot-grid'

const LiveSlots = lazyPart(async () => (await import('./live-slots')).LiveSlots, null)

/** The times of the selected day; without a day, or if none is free, the next free slot. */
export function TimeStep({ booking }: { booking: BookingFlow }) {
  const { slots, date, time, select, business } = booking
  const { step, take } = useTake(booking)
  const zone = date === null ? null : zoneNote({ date, zone: business.zone }, readerZone())
  useSlotsErrorToast(slots.isError && slots.data === undefined)
  return (
    <div ref={step} className="grid gap-3">
      <h3 className={date === null ? 'font-text text-sm font-semibold tracking-normal' : 'sr-only'}>
        {messages.time}
      </h3>
      {zone !== null && <p className="text-sm text-muted">{messages.zone(zone)}</p>}
      <Suspense>{date !== null && <LiveSlots booking={booking} />}</Suspense>
      {date === null ? (
        <NextFree booking={booking} onTake={take} />
      ) : (
        <QueryState query={slots} errorTitle={messages.slotsErrorText} pending={<SlotSkeleton />}>
          {(all) => (
            <div className="grid gap-4">
              {booking.failure?.isAboutTime && (
                <BookingFailure failure={booking.failure}>
                  <OtherTimes booking={booking} slots={all} onTake={take} />
                </BookingFailure>
              )}
              {booking.failure === null && time === null && booking.lostTime !== null && (
                <Alert title={messages.justTaken(booking.lostTime)}>
                  <OtherTimes booking={booking} slots={all} onTake={take} />
                </Alert>
              )}
              {booking.failure === null && all.length === 0 && (
                <Alert tone="danger" title={messages.invalidService}>
                  {messages.invalidServiceText}
                </Alert>
              )}
              <DayFull slots={all} date={date}>
                <NextFree booking={booking} onTake={take} />
              </DayFull>
              <SlotGrid slots={all} value={time} onChange={(start) => select({ time: start })} />
            </div>
          )}
        </QueryState>
      )}
    </div>
  )
}

type Take = BookingFlow['select']
type OfferProps = { booking: BookingFlow; onTake: Take }

/** Selects an offered time. Its button goes, so the focus moves to the time once it is shown. */
function useTake({ select }: BookingFlow) {
  const step = useRef<HTMLDivElement>(null)
  const isTaking = useRef(false)
  useEffect(() => {
    if (!isTaking.current) return
    const chosen = step.current?.querySelector<HTMLElement>('[role="radio"][aria-checked="true"]')
    if (!chosen) return
    isTaking.current = false
    chosen.focus()
  })
  const take: Take = (change) => {
    isTaking.current = true
    select(change)
  }
  return { step, take }
}

/** Says why nothing is free, and offers alternatives. */
function DayFull({
  slots,
  date,
  children,
}: {
  slots: readonly Slot[]
  date: string
  children: React.ReactNode
}) {
  const reason = whyFull(slots)
  if (reason === null) return null
  return (
    <Alert title={messages.noFreeTime(formatDay(date))} action={children}>
      {messages.noFreeTimeWhy[reason]}
    </Alert>
  )
}

const maxOffered = 3

/** The times nearest to the one that was taken; if the day has none, the next free slot. */
function OtherTimes({ booking, slots, onTake }: OfferProps & { slots: readonly Slot[] }) {
  const { lostTime, date } = booking
  const others = lostTime === null ? [] : nearestFree(slots, lostTime, maxOffered)
  if (others.length === 0 || date === null) return <NextFree booking={booking} onTake={onTake} />
  return (
    <div className="nums flex flex-wrap gap-2">
      {others.map(({ start }) => (
        <Button key={start} variant="outline" onClick={() => onTake({ time: start })}>
          {messages.take(formatDay(date), start)}
        </Button>
      ))}
    </div>
  )
}

function NextFree({ booking, onTake }: OfferProps) {
  const serviceId = booking.service?.id ?? ''
  const { data: next } = useQuery({
    ...nextFreeQuery(booking.business.id, serviceId),
    enabled: serviceId !== '',
  })
  if (!next) return <p className="text-sm text-muted">{messages.chooseDay}</p>
  return (
    <Button
      variant="soft"
      className="justify-self-start"
      onClick={() => onTake({ date: next.date, time: next.time })}
    >
      {messages.nextFree(formatDay(next.date), next.time)}
    </Button>
  )
}

function useSlotsErrorToast(failed: boolean): void {
  useEffect(() => {
    if (!failed) return
    showToast({ title: messages.slotsError, text: messages.slotsErrorText, tone: 'danger' })
  }, [failed])
}

const skeletonSlots = Array.from({ length: 18 }, (_, index) => `slot-${index}`)

function SlotSkeleton() {
  return (
    <SkeletonGroup label={messages.slotsPending} className="grid grid-cols-3 gap-2">
      {skeletonSlots.map((key) => (
        <Skeleton key={key} className="h-11 rounded-control" />
      ))}
    </SkeletonGroup>
  )
}
