import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { ButtonLink } from '@/components/ui/button'
import { cn } from '@/lib/cn'
import { messages } from '../messages'
import {
  type BookingView,
  bookingViews,
  type CalendarView,
  calendarParams,
  rangeText,
  stepFrom,
} from '../model/calendar'

type ViewNavProps = { view: BookingView; date: string }

/** Links to the list, day, week and month views. */
export function ViewNav({ view, date }: ViewNavProps) {
  return (
    <nav aria-label={messages.viewLabel} className="flex gap-1 border-line border-b">
      {bookingViews.map((one) => (
        <Link
          key={one}
          to={{ search: calendarParams(one, date).toString() }}
          aria-current={one === view ? 'page' : undefined}
          className={cn(
            '-mb-px inline-flex min-h-11 items-center border-b-2 px-3 font-semibold transition-colors focus-visible:outline-offset-[-2px]',
            one === view
              ? 'border-primary text-primary'
              : 'border-transparent text-muted hover:text-ink',
          )}
        >
          {messages.views[one]}
        </Link>
      ))}
    </nav>
  )
}

type CalendarBarProps = { view: CalendarView; date: string; today: string }

/** The shown period, and links to the previous and next one. */
export function CalendarBar({ view, date, today }: CalendarBarProps) {
  const hrefOf = (day: string) => ({ search: calendarParams(view, day).toString() })
  return (
    <div className="flex flex-wrap items-center gap-2">
      <ButtonLink
        variant="outline"
        size="icon"
        to={hrefOf(stepFrom(view, date, -1))}
        preventScrollReset
      >
        <ChevronLeft className="size-5" strokeWidth={1.75} aria-hidden />
        <span className="sr-only">{messages.earlier[view]}</span>
      </ButtonLink>
      <ButtonLink
        variant="outline"
        size="icon"
        to={hrefOf(stepFrom(view, date, 1))}
        preventScrollReset
      >
        <ChevronRight className="size-5" strokeWidth={1.75} aria-hidden />
        <span className="sr-only">{messages.later[view]}</span>
      </ButtonLink>
      <ButtonLink variant="outline" to={hrefOf(today)} preventScrollReset>
        {messages.today}
      </ButtonLink>
      <h2 className="nums ms-2 text-lg max-sm:basis-full max-sm:ms-0" aria-live="polite">
        {rangeText(view, date)}
      </h2>
    </div>
  )
}
