import { CalendarDays } from 'lucide-react'
import { useState } from 'react'
import { Calendar } from '@/components/ui/calendar'
import { Popover } from '@/components/ui/popover'
import { WeekStrip } from '@/components/ui/week-strip'
import { formatDay } from '@/lib/time'
import { messages } from '../panel-messages'

type DayStepProps = {
  value: string | null
  today: string
  onChange: (date: string) => void
}

/** A week to select a day, and a calendar for days further ahead (BOOK-04). */
export function DayStep({ value, today, onChange }: DayStepProps) {
  const [week, setWeek] = useState(value ?? today)
  const [seen, setSeen] = useState(value)
  // A day selected elsewhere (the next free one, Back) also changes the shown week.
  if (value !== seen) {
    setSeen(value)
    if (value !== null) setWeek(value)
  }
  return (
    <div className="grid gap-1">
      <div className="flex items-center justify-between">
        <h3 className="text-sm font-text font-semibold tracking-normal">
          {messages.day}
          <span className="ms-2 font-normal text-muted">{formatDay(week, 'month')}</span>
        </h3>
        <Popover
          label={messages.otherDay}
          align="end"
          className="p-3"
          trigger={(props) => (
            <button
              {...props}
              className="inline-flex min-h-11 items-center gap-1.5 text-sm font-semibold text-primary hover:underline"
            >
              <CalendarDays className="size-4" strokeWidth={1.75} aria-hidden />
              {messages.calendar}
            </button>
          )}
        >
          {(close) => (
            <Calendar
              value={value}
              today={today}
              min={today}
              onChange={(date) => {
                onChange(date)
                close()
              }}
            />
          )}
        </Popover>
      </div>
      <WeekStrip
        label={messages.day}
        value={value}
        onChange={onChange}
        week={week}
        onWeekChange={setWeek}
        min={today}
      />
    </div>
  )
}
