import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { dayForKey } from '@/components/ui/calendar-days'
import { addDays } from '@/lib/time'
import type { CalendarView } from '../model/calendar'

type CalendarKeysInput = {
  view: CalendarView
  date: string
  /** Everything that can have the focus: days and bookings, by their key. */
  stops: ReadonlySet<string>
  /** Shows what comes before or after, and says which day that leads to. */
  onStep: (by: 1 | -1) => string
}

/**
 * A roving focus for a calendar. Its stops carry `data-day`, and the first of each day is the day
 * itself. Left and Right go from day to day, Up and Down through the bookings of a day (in a month:
 * from week to week), Page keys to what comes before and after.
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

  /** Null where the key is none of the calendar's; undefined at its edge. */
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
  // A stop that is not shown any more (another week, a booking that ended) gives way to the day of the address.
  const current = stop !== null && stops.has(stop) ? stop : date
  return { frame, onKeyDown, onFocus, tabIndexOf: (key: string) => (key === current ? 0 : -1) }
}

export type CalendarKeys = ReturnType<typeof useCalendarKeys>
