import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { dayForKey } from '@/components/ui/calendar-days'
import { addDays } from '@/lib/time'
import type { CalendarView } from '../model/calendar'

type CalendarKeysInput = {
  view: CalendarView
  date: string
  /** The keys of everything that can be focused: days and bookings. */
  stops: ReadonlySet<string>
  /** Shows the previous or next period, and returns the day to focus there. */
  onStep: (by: 1 | -1) => string
}

/**
 * A roving focus for a calendar. Focusable elements carry `data-day`, and the first of each day is
 * the day itself. Left and Right move between days, Up and Down through the bookings of a day (in a
 * month: between weeks), Page keys to the previous and next period.
 */
export function useCalendarKeys({ view, date, stops, onStep }: CalendarKeysInput) {
  const frame = useRef<HTMLDivElement>(null)
  const [stop, setStop] = useState<string | null>(null)
  const following = useRef<string | null>(null)

  useEffect(() => {
    if (following.current !== date) return
    following.current = null
    frame.current?.querySelector<HTMLElement>(`[data-stop="${date}"]`)?.focus()
  }, [date])

  const onKeyDown = (event: KeyboardEvent) => {
    const at = event.target
    if (!(at instanceof HTMLElement)) return
    const { day = '' } = at.dataset
    if (event.key === 'PageUp' || event.key === 'PageDown') {
      event.preventDefault()
      following.current = onStep(event.key === 'PageUp' ? -1 : 1)
      return
    }
    const next = nextStop(event.key, at, day)
    if (next === null) return
    event.preventDefault()
    next?.focus()
  }

  const find = (day: string | null) =>
    day === null ? null : frame.current?.querySelector<HTMLElement>(`[data-stop="${day}"]`)

  /** Null if the calendar does not handle the key; undefined at its edge. */
  const nextStop = (key: string, at: HTMLElement, day: string) => {
    if (view === 'month') {
      const to = dayForKey(key, day)
      return to === null ? null : (find(to) ?? undefined)
    }
    if (key === 'ArrowLeft' || key === 'ArrowRight') {
      return find(addDays(day, key === 'ArrowLeft' ? -1 : 1)) ?? undefined
    }
    if (key !== 'ArrowUp' && key !== 'ArrowDown') return null
    const all = [...(frame.current?.querySelectorAll<HTMLElement>(`[data-day="${day}"]`) ?? [])]
    return all[all.indexOf(at) + (key === 'ArrowUp' ? -1 : 1)]
  }

  const onFocus = ({ target }: FocusEvent) => {
    if (target instanceof HTMLElement) setStop(target.dataset.stop ?? null)
  }
  // If the focused element is no longer shown (another week, an ended booking), the URL's day takes
  // its place.
  const current = stop !== null && stops.has(stop) ? stop : date
  return { frame, onKeyDown, onFocus, tabIndexOf: (key: string) => (key === current ? 0 : -1) }
}

export type CalendarKeys = ReturnType<typeof useCalendarKeys>
