import { Button, ButtonLink } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import { Textarea } from '@/components/ui/textarea'
import { formatMoney } from '@/lib/money'
import { paths } from '@/lib/paths'
import { formatDuration } from '@/lib/time'
import { actionOf } from '../model/action'
// Imported so that a filled form can be sent even if the connection was lost meanwhile.
import '../model/sending'
import type { BookingFlow } from '../model/use-booking'
import { messages } from '../panel-messages'
import { BookingDone } from './booking-done'
import { BookingFailure } from './booking-failure'
import { DayStep } from './day-step'
import { TimeStep } from './time-step'

/** Maximum length of a note; same as bookings_notes_check (BOOK-05). */
const notesMax = 500

type SessionStatus = 'pending' | 'signed-out' | 'signed-in'

export type BookingFormProps = {
  booking: BookingFlow
  session: SessionStatus
  /** Stores the current state before redirecting to sign-in. */
  onLeaveToSignIn: () => void
}

/** Three steps: service, day, time; then notes and one button (BOOK-01 to BOOK-06). */
export function BookingForm({ booking, session, onLeaveToSignIn }: BookingFormProps) {
  const { services, service, today, date, select, notes, setNotes, failure } = booking
  // A failure about the time is shown next to the times.
  const isAtTimes = failure?.isAboutTime && service !== null && date !== null
  if (booking.done) return <BookingDone booking={booking} done={booking.done} />
  if (services.length === 0) {
    return session === 'signed-out' ? (
      <SignInPrompt onLeave={onLeaveToSignIn} />
    ) : (
      <p className="text-muted">{messages.noServices}</p>
    )
  }
  return (
    <form
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        booking.submit()
      }}
    >
      <Field label={messages.service}>
        <Select
          value={service?.id ?? ''}
          onChange={(event) => select({ service: event.target.value || null, time: null })}
        >
          <option value="">{messages.chooseService}</option>
          {services.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name} · {formatDuration(one.duration)} · {formatMoney(one.price)}
            </option>
          ))}
        </Select>
      </Field>
      <DayStep
        value={date}
        today={today}
        onChange={(chosen) => select({ date: chosen, time: null })}
      />
      {service && <TimeStep booking={booking} />}
      <Field label={messages.notes} help={messages.notesHelp}>
        <Textarea
          rows={3}
          maxLength={notesMax}
          value={notes}
          onChange={(event) => setNotes(event.target.value)}
        />
      </Field>
      {failure && !isAtTimes && <BookingFailure failure={failure} />}
      <div className="sticky bottom-[calc(-1*var(--pad))] -mx-1 -mb-(--pad) grid gap-3 bg-surface px-1 pt-2 pb-(--pad)">
        {session === 'pending' && <Skeleton className="h-13 rounded-control" />}
        {session === 'signed-out' && (
          <SignInPrompt onLeave={onLeaveToSignIn} keeps={service !== null || date !== null} />
        )}
        {session === 'signed-in' && (
          <Button
            type="submit"
            size="lg"
            disabled={!booking.isComplete}
            pending={booking.isPending}
          >
            {actionOf(booking)}
          </Button>
        )}
      </div>
    </form>
  )
}

function SignInPrompt({ onLeave, keeps = false }: { onLeave: () => void; keeps?: boolean }) {
  return (
    <div className="grid gap-3">
      <p>
        <span className="font-semibold">{messages.signIn}</span>
        {keeps && <span className="block text-sm text-muted">{messages.signInKept}</span>}
      </p>
      <ButtonLink size="lg" to={paths.auth} onClick={onLeave}>
        {messages.signInLink}
      </ButtonLink>
    </div>
  )
}
