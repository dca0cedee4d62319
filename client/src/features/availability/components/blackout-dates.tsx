import { X } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '@/components/ui/button'
import { DatePicker } from '@/components/ui/date-picker'
import { Field } from '@/components/ui/field'
import { formatDay, wallClock, type Zone } from '@/lib/time'
import { messages } from '../messages'

type BlackoutDatesProps = {
  dates: string[]
  zone: Zone
  onChange: (dates: string[]) => void
}

/** The database's maximum. */
const maxDates = 366

/** The days without bookings (METRICS-27, METRICS-31). */
export function BlackoutDates({ dates, zone, onChange }: BlackoutDatesProps) {
  const section = useRef<HTMLElement>(null)
  const today = wallClock(new Date(), zone).date
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby="blackout"
      className="grid gap-4 outline-none"
    >
      <div className="grid gap-1">
        <h3 id="blackout" className="text-xl">
          {messages.blackout}
        </h3>
        <p className="text-muted">{messages.blackoutText}</p>
      </div>
      {dates.length === 0 && <p className="text-muted">{messages.noBlackout}</p>}
      <ul className="flex flex-wrap gap-2 empty:hidden">
        {dates.map((date) => (
          <li
            key={date}
            className="nums flex items-center rounded-control border border-line bg-surface ps-3.5"
          >
            {formatDay(date, 'long')}
            <Button
              variant="quiet"
              size="icon"
              onClick={() => {
                section.current?.focus()
                onChange(dates.filter((one) => one !== date))
              }}
            >
              <X className="size-4" strokeWidth={1.75} aria-hidden />
              <span className="sr-only">{messages.removeDate(formatDay(date, 'long'))}</span>
            </Button>
          </li>
        ))}
      </ul>
      {dates.length >= maxDates ? (
        <p className="text-sm text-muted">{messages.tooMany}</p>
      ) : (
        <Field label={messages.addBlackout} className="max-w-[20rem]">
          <DatePicker
            value={null}
            placeholder={messages.choose}
            today={today}
            min={today}
            isDisabled={(date) => dates.includes(date)}
            onChange={(date) => onChange([...dates, date].sort())}
          />
        </Field>
      )}
    </section>
  )
}
