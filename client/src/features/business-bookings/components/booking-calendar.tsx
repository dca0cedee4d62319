import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { QueryState } from '@/components/query-state'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { calendarQuery } from '../api/queries'
import { messages } from '../messages'
import type { BusinessBooking } from '../model/business-booking'
import {
  byDay,
  type CalendarView,
  calendarParams,
  daysOf,
  rangeOf,
  stepFrom,
} from '../model/calendar'
import { CalendarBar } from './calendar-bar'
import { DayColumn } from './day-column'
import { MonthGrid } from './month-grid'
import { useCalendarKeys } from './use-calendar-keys'

type BookingCalendarProps = {
  businessId: string
  view: CalendarView
  date: string
  /** Today in the business's time zone. */
  today: string
}

/** The bookings of a day, a week or a month; a single tab stop, in which arrow keys move. */
export function BookingCalendar({ businessId, view, date, today }: BookingCalendarProps) {
  const query = useQuery(calendarQuery(businessId, rangeOf(view, date)))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <CalendarBar view={view} date={date} today={today} />
      <QueryState
        query={query}
        errorTitle={messages.error}
        pending={
          <SkeletonGroup label={messages.pending}>
            <Skeleton className="h-96 rounded-card" />
          </SkeletonGroup>
        }
      >
        {(bookings) => <Days bookings={bookings} view={view} date={date} today={today} />}
      </QueryState>
    </div>
  )
}

type DaysProps = Omit<BookingCalendarProps, 'businessId'> & {
  bookings: readonly BusinessBooking[]
}

function Days({ bookings, view, date, today }: DaysProps) {
  const [, setParams] = useSearchParams()
  const step = (by: 1 | -1) => {
    const next = stepFrom(view, date, by)
    setParams(calendarParams(view, next), { preventScrollReset: true })
    return next
  }
  const shown = daysOf(view, date)
  const stops = new Set([...shown, ...bookings.map(({ id }) => id)])
  const keys = useCalendarKeys({ view, date, stops, onStep: step })
  const days = byDay(bookings)
  if (view === 'month') {
    return <MonthGrid date={date} today={today} days={days} keys={keys} />
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move through the links below
    <div
      ref={keys.frame}
      className={
        view === 'week'
          ? 'grid gap-px overflow-hidden rounded-card border border-line bg-line lg:min-h-96 lg:grid-cols-7'
          : 'grid gap-px overflow-hidden rounded-card border border-line bg-line'
      }
      onKeyDown={keys.onKeyDown}
      onFocus={keys.onFocus}
    >
      {shown.map((day) => (
        <DayColumn
          key={day}
          day={day}
          isToday={day === today}
          bookings={days.get(day) ?? []}
          tabIndexOf={keys.tabIndexOf}
          isWide={view === 'day'}
        />
      ))}
    </div>
  )
}
