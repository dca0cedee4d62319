import { parseTime } from '@/lib/time'
import { messages } from '../panel-messages'

/** The selection so far; stored in the URL, so that it survives signing in. */
export type Selection = { service: string | null; date: string | null; time: string | null }

const names = ['service', 'date', 'time'] as const

function readDay(value: string | null): string | null {
  if (value === null || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return null
  const day = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(day.valueOf()) && day.toISOString().startsWith(value) ? value : null
}

/** Reads the selection from the URL; an invalid day or time counts as not selected. */
export function readSelection(params: URLSearchParams): Selection {
  const time = params.get('time')
  return {
    service: params.get('service'),
    date: readDay(params.get('date')),
    time: time !== null && /^\d{2}:\d{2}$/.test(time) && parseTime(time) !== null ? time : null,
  }
}

/** Returns the URL's parameters with a changed selection; all others are kept. */
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
 * Returns why a booking cannot be sent, with the requirements' text and order: signed in, complete
 * selection, existing service, day not in the past (BOOK-11 to BOOK-14). Null if it can be sent.
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
