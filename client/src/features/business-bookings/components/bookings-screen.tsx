import { useSearchParams } from 'react-router'
import type { BookedBusiness } from '../api/queries'
import { openBooking, withBooking } from '../model/open-booking'
import { BookingSheet } from './booking-sheet'
import { Inbox } from './inbox'
import { ReasonDialog } from './reason-dialog'
import { useDeeds } from './use-deeds'

/** The bookings of a business, as whoever manages it sees and answers them (BOOK-18). */
export function BookingsScreen({ business }: { business: BookedBusiness }) {
  const [params, setParams] = useSearchParams()
  const { asked, close, send, onDeed, busy } = useDeeds()
  const opened = openBooking(params)
  return (
    <>
      <Inbox businessId={business.id} onDeed={onDeed} busy={busy} />
      {opened !== null && (
        <BookingSheet
          businessId={business.id}
          bookingId={opened}
          onDeed={onDeed}
          busy={busy}
          onClose={() => setParams(withBooking(params, null), { preventScrollReset: true })}
        />
      )}
      {asked && asked.deed !== 'move' && (
        <ReasonDialog
          booking={asked.booking}
          deed={asked.deed}
          onClose={close}
          onConfirm={(reason) => asked.deed !== 'move' && send(asked.booking, asked.deed, reason)}
        />
      )}
    </>
  )
}
