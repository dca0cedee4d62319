import { useQuery } from '@tanstack/react-query'
import { CircleAlert, KeyRound, Lock, LogIn, ShieldQuestionMark } from 'lucide-react'
import { QueryState } from '@/components/query-state'
import { EmptyState } from '@/components/ui/empty-state'
import { cn } from '@/lib/cn'
import { formatHere } from '@/lib/time'
import { eventsQuery } from '../api/queries'
import { messages } from '../messages'
import { eventLabel, eventTone, type SecurityEvent } from '../model/event'
import { RowsSkeleton } from './rows-skeleton'

const icons = {
  successful_login: LogIn,
  failed_login: CircleAlert,
  account_locked: Lock,
  password_changed: KeyRound,
}

const colors = {
  neutral: 'bg-sunken text-muted',
  primary: 'bg-primary-soft text-primary',
  success: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
}

/** The account's security events, newest first (SEC-18, SEC-19). */
export function EventList({ userId }: { userId: string }) {
  const query = useQuery(eventsQuery(userId))
  const now = new Date()
  return (
    <div className="grid gap-4">
      <p className="text-muted">{messages.eventsText}</p>
      <QueryState
        query={query}
        pending={<RowsSkeleton label={messages.eventsPending} row="h-22 sm:h-17" count={6} />}
        errorTitle={messages.eventsError}
        isEmpty={(events) => events.length === 0}
        empty={<EmptyState title={messages.noEvents} text={messages.noEventsText} />}
      >
        {(events) => (
          <ol className="grid divide-y divide-line rounded-card border border-line bg-surface">
            {events.map((event) => (
              <li key={event.id}>
                <EventRow event={event} now={now} />
              </li>
            ))}
          </ol>
        )}
      </QueryState>
    </div>
  )
}

function EventRow({ event, now }: { event: SecurityEvent; now: Date }) {
  const { type, device, ip, at } = event
  const Icon = type === null ? ShieldQuestionMark : icons[type]
  const where = [device?.label, ip].filter(Boolean).join(' · ')
  return (
    <article className="flex items-center gap-4 px-4 py-3 sm:px-5">
      <span
        className={cn(
          'grid size-9 shrink-0 place-items-center rounded-control',
          colors[eventTone(type)],
        )}
      >
        <Icon className="size-4.5" strokeWidth={1.75} aria-hidden />
      </span>
      <div className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-4">
        <div className="min-w-0">
          <h2 className="text-base font-semibold">{eventLabel(type)}</h2>
          {where !== '' && (
            <p className="nums text-sm text-muted [overflow-wrap:anywhere]">{where}</p>
          )}
        </div>
        <time dateTime={at} className="nums text-sm text-muted">
          {formatHere(new Date(at), now)}
        </time>
      </div>
    </article>
  )
}
