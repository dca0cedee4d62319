import { Copy } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { Menu } from '@/components/ui/menu'
import { Select } from '@/components/ui/select'
import { type Weekday, weekdays } from '@/lib/time'
import {
  type CopyTarget,
  copyDay,
  type DayHours,
  dayNote,
  timeOptions,
  type Week,
} from '../model/week'
import { partsMessages as messages } from '../parts-messages'

type WeekEditorProps = { week: Week; onChange: (week: Week) => void }

function titleOf(weekday: Weekday): string {
  return weekday.charAt(0).toUpperCase() + weekday.slice(1)
}

/** Opening and closing for each day of the week (OWNER-16, OWNER-18). */
export function WeekEditor({ week, onChange }: WeekEditorProps) {
  return (
    <ul className="grid divide-y divide-line rounded-card border border-line bg-surface">
      {weekdays.map((weekday) => (
        <li key={weekday}>
          <DayRow
            weekday={weekday}
            hours={week[weekday]}
            onChange={(hours) => onChange({ ...week, [weekday]: hours })}
            onCopy={(target) => onChange(copyDay(week, weekday, target))}
          />
        </li>
      ))}
    </ul>
  )
}

type DayRowProps = {
  weekday: Weekday
  hours: DayHours
  onChange: (hours: DayHours) => void
  onCopy: (target: CopyTarget | Weekday) => void
}

const copyTargets = ['weekdays', 'all'] as const

function DayRow({ weekday, hours, onChange, onCopy }: DayRowProps) {
  const day = titleOf(weekday)
  const note = dayNote(hours)
  return (
    <fieldset className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-2 px-4 py-3 sm:grid-cols-[9.5rem_minmax(0,1fr)_auto]">
      <legend className="sr-only">{day}</legend>
      <Checkbox
        label={<span className="font-semibold">{day}</span>}
        aria-label={messages.isOpen(day)}
        checked={hours.isOpen}
        onChange={(event) => onChange({ ...hours, isOpen: event.target.checked })}
      />
      <div className="max-sm:order-last max-sm:col-span-2">
        {hours.isOpen ? (
          <div className="flex items-center gap-2">
            <TimeSelect
              label={messages.opensAt(day)}
              value={hours.open}
              onChange={(open) => onChange({ ...hours, open })}
            />
            <span aria-hidden>–</span>
            <TimeSelect
              label={messages.closesAt(day)}
              value={hours.close}
              onChange={(close) => onChange({ ...hours, close })}
            />
            {note !== null && (
              <span className="text-sm text-muted max-sm:sr-only">
                {note === 'all-day' ? messages.allDay : messages.overnight}
              </span>
            )}
          </div>
        ) : (
          <p className="text-muted max-sm:sr-only">{messages.closed}</p>
        )}
      </div>
      <Menu
        label={messages.copyOf(day)}
        trigger={(props) => (
          <Button variant="quiet" aria-label={messages.copyOf(day)} {...props}>
            <Copy className="size-5" strokeWidth={1.75} aria-hidden />
            <span className="max-sm:sr-only">{messages.copy}</span>
          </Button>
        )}
        groups={[
          copyTargets.map((key) => ({
            key,
            label: messages.copyTo[key],
            onSelect: () => onCopy(key),
          })),
          weekdays
            .filter((other) => other !== weekday)
            .map((key) => ({ key, label: titleOf(key), onSelect: () => onCopy(key) })),
        ]}
      />
    </fieldset>
  )
}

type TimeSelectProps = { label: string; value: string; onChange: (time: string) => void }

function TimeSelect({ label, value, onChange }: TimeSelectProps) {
  return (
    <Select
      aria-label={label}
      className="nums w-28 max-sm:w-full"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {timeOptions(value).map((time) => (
        <option key={time} value={time}>
          {time}
        </option>
      ))}
    </Select>
  )
}
