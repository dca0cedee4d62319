import { lazy, Suspense } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { ButtonLink } from '@/components/ui/button'
import { BookingPanel, bookingTitleId } from '@/features/booking/components/booking-panel'
import { messages } from '@/features/booking/messages'
import { readSelection, type Selection, withSelection } from '@/features/booking/model/selection'
import { useBooking } from '@/features/booking/model/use-booking'
import type { BusinessDetails } from '@/features/businesses/api/detail-queries'
import { paths } from '@/lib/paths'
import { rememberReturn } from '@/lib/return-path'
import { useSession } from '@/lib/session'
import { zoneFrom } from '@/lib/time'
import { useMediaQuery } from '@/lib/use-media-query'
import { useNewest } from '@/lib/use-newest'

// Phones alone have it.
const BookingDock = lazy(() =>
  import('@/features/booking/components/booking-dock').then((module) => ({
    default: module.BookingDock,
  })),
)

// Whether the sheet is open on phones; in the address, so that Back closes it.
const openParam = 'book'

/** The booking of a business page: its choice in the address, and how it is begun. */
export function useBusinessBooking(business: BusinessDetails) {
  const { pathname, search, key } = useLocation()
  const navigate = useNavigate()
  const session = useSession()
  const isWide = useMediaQuery('(min-width: 64rem)')
  const params = new URLSearchParams(search)
  const { newest, ask } = useNewest(params, key)

  const go = (next: URLSearchParams, replace: boolean) => {
    ask(next)
    void navigate({ pathname, search: next.toString() }, { replace, preventScrollReset: true })
  }
  const onSelect = (change: Partial<Selection>) => go(withSelection(newest(), change), true)
  const booking = useBooking({
    business: {
      id: business.id,
      name: business.name,
      zone: zoneFrom(business.time_zone),
      place: business.address ?? business.location,
    },
    services: business.services,
    selection: readSelection(params),
    onSelect,
    userId: session.user?.id ?? null,
  })

  const setOpen = (isOpen: boolean, change: Partial<Selection> = {}) => {
    const next = withSelection(newest(), change)
    if (isOpen) next.set(openParam, '1')
    else next.delete(openParam)
    go(next, !isOpen)
  }
  /** Leads to the booking, with a service if one was pressed. */
  const start = (serviceId?: string) => {
    const change = serviceId === undefined ? {} : { service: serviceId, time: null }
    booking.restart()
    if (!isWide) return setOpen(true, change)
    if (serviceId !== undefined) booking.select(change)
    const title = document.getElementById(bookingTitleId)
    title?.focus({ preventScroll: true })
    title?.scrollIntoView({ block: 'nearest' })
  }
  return {
    booking,
    isWide,
    isOpen: params.has(openParam),
    setOpen,
    start,
    session: session.status,
    onLeaveToSignIn: () => rememberReturn(pathname + search),
  }
}

type Flow = ReturnType<typeof useBusinessBooking>

/** The panel on the right, or the bar and the sheet on phones (BOOK-01 to BOOK-03). */
export function BusinessBooking({ flow, businessName }: { flow: Flow; businessName: string }) {
  const { booking, session, onLeaveToSignIn, isWide, isOpen, setOpen } = flow
  const shared = { booking, session, onLeaveToSignIn }
  return (
    <aside className="grid gap-4 lg:sticky lg:top-20">
      {isWide && <BookingPanel {...shared} />}
      {session === 'signed-out' && (
        <div className="flex flex-wrap items-center justify-between gap-3 rounded-panel border border-line px-5 py-4 max-lg:mt-10">
          <div className="grid flex-1 basis-48 gap-0.5">
            <h2 className="font-text text-base font-semibold tracking-normal">
              {messages.sidePrompt}
            </h2>
            <p className="text-sm text-muted">{messages.sidePromptText(businessName)}</p>
          </div>
          <ButtonLink variant="outline" to={paths.auth} onClick={onLeaveToSignIn}>
            {messages.signInLink}
          </ButtonLink>
        </div>
      )}
      <Suspense>
        {!isWide && (
          <BookingDock
            {...shared}
            open={isOpen}
            onOpen={() => setOpen(true)}
            onClose={() => setOpen(false)}
          />
        )}
      </Suspense>
    </aside>
  )
}
