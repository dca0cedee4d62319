import { Suspense, useEffect, useEffectEvent, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { lazyPart } from '@/components/lazy-part'
import { ButtonLink } from '@/components/ui/button'
import { BookingPanel, bookingTitleId } from '@/features/bookings/components/booking-panel'
import { readSelection, type Selection, withSelection } from '@/features/bookings/model/selection'
import { storeNotes } from '@/features/bookings/model/stored-notes'
import { type BookingFlow, useBooking } from '@/features/bookings/model/use-booking'
import { messages } from '@/features/bookings/panel-messages'
import type { BusinessDetails } from '@/features/businesses/api/detail-queries'
import { formatMoney } from '@/lib/money'
import { paths } from '@/lib/paths'
import { rememberReturn } from '@/lib/return-path'
import { useSession } from '@/lib/session'
import { formatDay, zoneFrom } from '@/lib/time'
import { useMediaQuery } from '@/lib/use-media-query'
import { useNewest } from '@/lib/use-newest'

// Used on phones only.
const BookingDock = lazyPart(
  async () => (await import('@/features/bookings/components/booking-dock')).BookingDock,
)

// The URL parameter for the open sheet on phones, so that Back closes it.
const openParam = 'book'
// The state of the history entry that opening the sheet adds; an entry from a URL has none.
const sheetEntry = 'booking-sheet'

/** The booking of a business page: the selection in the URL, and functions that start it. */
export function useBusinessBooking(business: BusinessDetails) {
  const { pathname, search, key, state } = useLocation()
  const navigate = useNavigate()
  const session = useSession()
  const isWide = useMediaQuery('(min-width: 64rem)')
  const params = new URLSearchParams(search)
  const { newest, ask } = useNewest(params, key)

  const isOpen = params.has(openParam)
  const go = (next: URLSearchParams, options: { replace?: boolean; state?: unknown }) => {
    ask(next)
    void navigate({ pathname, search: next.toString() }, { preventScrollReset: true, ...options })
  }
  // Going back from the sheet restores the URL from before it; the selection made in the sheet is
  // kept.
  const chosenInSheet = useRef<Selection | null>(null)
  const onSelect = (change: Partial<Selection>) => {
    const next = withSelection(newest(), change)
    if (isOpen) chosenInSheet.current = readSelection(next)
    go(next, { replace: true, state })
  }
  const keepChoice = useEffectEvent(() => {
    const kept = chosenInSheet.current
    chosenInSheet.current = null
    if (kept) go(withSelection(params, kept), { replace: true })
  })
  useEffect(() => {
    if (!isOpen) keepChoice()
  }, [isOpen])
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
    if (isOpen) {
      chosenInSheet.current = readSelection(next)
      next.set(openParam, '1')
      return go(next, { state: sheetEntry })
    }
    // Removes the sheet's own entry, so that Back then leaves the page.
    if (state === sheetEntry) return void navigate(-1)
    next.delete(openParam)
    go(next, { replace: true })
  }
  /** Opens the booking, with a service if one was pressed. */
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
    isOpen,
    setOpen,
    start,
    session: session.status,
    onLeaveToSignIn: () => {
      storeNotes(business.id, booking.notes)
      rememberReturn(pathname + search, purposeOf(booking))
    },
  }
}

/** The purpose of sign-in, as shown on the sign-in page. */
function purposeOf({ business, service, date, time }: BookingFlow): string {
  if (!service) return ''
  const when = date === null ? '' : ` · ${formatDay(date)}${time === null ? '' : `, ${time}`}`
  return `${service.name} · ${formatMoney(service.price)}${when} · ${business.name}`
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
