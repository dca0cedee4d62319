import { useEffect } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { formatMoney } from '@/lib/money'
import { formatDay } from '@/lib/time'
import { actionOf } from '../model/action'
import { messages } from '../panel-messages'
import { BookingForm, type BookingPanelProps, loadForm, Summary, titleOf } from './booking-panel'

/** After how long the form is preloaded, in milliseconds: the page is idle by then. */
const aheadMs = 2_000

/** Booking on phones: a bar that stays visible, and the form in a sheet from the bottom. */
export function BookingDock({
  open,
  onOpen,
  onClose,
  ...props
}: BookingPanelProps & { open: boolean; onOpen: () => void; onClose: () => void }) {
  const { booking } = props
  const { service, services, date, time } = booking
  // The connection may be lost when the sheet is opened.
  useEffect(() => {
    const timer = setTimeout(() => loadForm().catch(() => undefined), aheadMs)
    return () => clearTimeout(timer)
  }, [])
  const cheapest = services.length > 0 ? Math.min(...services.map((one) => one.price)) : null
  return (
    <>
      <div className="fixed inset-x-0 bottom-(--below) z-30 border-line border-t bg-surface pb-[env(safe-area-inset-bottom)]">
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
