import { parseTime } from '@/lib/time'
import { messages } from '../panel-messages'

/** What has been chosen so far; it lives in the address, so that it outlasts the way to sign-in. */
export type Selection = { service: string | null; date: string | null; time: string | null }

const names = ['service', 'date', 'time'] as const

function readDay(value: string | null): string | null {
  if (value === null || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return null
  const day = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(day.valueOf()) && day.toISOString().startsWith(value) ? value : null
}

/** The choice an address holds; what is no day or no time counts as not chosen. */
export function readSelection(params: URLSearchParams): Selection {
  const time = params.get('time')
  return {
    service: params.get('service'),
    date: readDay(params.get('date')),
    time: time !== null && /^\d{2}:\d{2}$/.test(time) && parseTime(time) !== null ? time : null,
  }
}

/** The address's parameters with a choice changed; everything else in them stays. */
export function withSelection(
  params: URLSearchParams,
  change: Partial<Selection>,
): URLSearchParams {
  const next = new URLSearchParams(params)
  for (const name of names) {
    const value = change[name]
    if (value === undefined) continue
    if (value === null) next.delete(name)
    else next.set(name, value)
  }
  return next
}

type Refusal = { title: string; text: string }

/**
 * Why a booking cannot be sent, in the document's words and order: login, a whole
 * choice, a service that exists, a day that is not past (BOOK-11 to BOOK-14). Null when it can.
 */
export function refusalOf(
  { service, date, time }: Selection,
  facts: { serviceIds: readonly string[]; isSignedIn: boolean; today: string },
): Refusal | null {
  if (!facts.isSignedIn) return { title: messages.authRequired, text: messages.authRequiredText }
  if (service === null || date === null || time === null) {
    return { title: messages.incomplete, text: messages.incompleteText }
  }
  if (!facts.serviceIds.includes(service)) {
    return { title: messages.invalidService, text: messages.invalidServiceText }
  }
  return date < facts.today ? { title: messages.pastDate, text: messages.pastDateText } : null
}
