import { Alert } from '@/components/ui/alert'
import { weekdays } from '@/lib/time'
import { messages } from '../messages'
import type { OpeningHours } from '../model/opening'
import type { Schedule } from '../model/schedule'
import { DayRow } from './day-row'

type WeekFieldsProps = {
  schedule: Schedule
  hours: OpeningHours
  /** No schedule is stored. */
  isSuggestion: boolean
  onChange: (schedule: Schedule) => void
}

/** The schedule of each weekday. */
export function WeekFields({ schedule, hours, isSuggestion, onChange }: WeekFieldsProps) {
  return (
    <section aria-labelledby="weekly" className="grid gap-4">
      <div className="grid gap-1">
        <h3 id="weekly" className="text-xl">
          {messages.weekly}
        </h3>
        <p className="max-w-text text-muted">{messages.weeklyText}</p>
      </div>
      {isSuggestion && <Alert title={messages.unsaved}>{messages.unsavedText}</Alert>}
      {hours === null && <p className="text-sm text-muted">{messages.noHours}</p>}
      <ul className="divide-y divide-line rounded-panel border border-line bg-surface px-4 sm:px-5">
        {weekdays.map((weekday) => (
          <li key={weekday}>
            <DayRow
              weekday={weekday}
              day={schedule[weekday]}
              hours={hours}
              onChange={(day) => onChange({ ...schedule, [weekday]: day })}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
