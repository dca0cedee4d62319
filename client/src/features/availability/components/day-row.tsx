import { Plus, TriangleAlert } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import type { Weekday } from '@/lib/time'
import { messages } from '../messages'
import { isOutside, type OpeningHours } from '../model/opening'
import {
  addSlot,
  canAddSlot,
  type DaySchedule,
  problemOf,
  removeSlot,
  setOpen,
  setSlot,
} from '../model/schedule'
import { SlotFields } from './slot-fields'

type DayRowProps = {
  weekday: Weekday
  day: DaySchedule
  hours: OpeningHours
  onChange: (day: DaySchedule) => void
}

/** One weekday: open or closed, its slots, and a warning about slots outside the opening hours. */
export function DayRow({ weekday, day, hours, onChange }: DayRowProps) {
  const name = messages.days[weekday]
  const problem = problemOf(day)
  return (
    <fieldset className="grid gap-x-6 gap-y-2 py-3 md:grid-cols-[9rem_minmax(0,1fr)] xl:grid-cols-[9rem_minmax(0,1fr)_13rem]">
      <legend className="sr-only">{name}</legend>
      <Checkbox
        label={name}
        className="self-start font-semibold"
        checked={day.isOpen}
        onChange={(event) => onChange(setOpen(day, event.target.checked))}
      />
      <div className="grid justify-items-start gap-2">
        {!day.isOpen && <p className="flex min-h-11 items-center text-muted">{messages.closed}</p>}
        {day.slots.map((slot, index) => (
          <SlotFields
            // biome-ignore lint/suspicious/noArrayIndexKey: a slot is identified by its index; two may be equal for a moment.
            key={index}
            slot={slot}
            day={name}
            number={index + 1}
            canRemove={day.slots.length > 1}
            onChange={(change) => onChange(setSlot(day, index, change))}
            onRemove={() => onChange(removeSlot(day, index))}
          />
        ))}
        {problem !== null && (
          <p role="alert" className="text-sm text-danger">
            {messages.problems[problem]}
          </p>
        )}
        {day.isOpen && (
          <Button
            variant="quiet"
            size="sm"
            disabled={!canAddSlot(day)}
            onClick={() => onChange(addSlot(day))}
          >
            <Plus className="size-4" strokeWidth={1.75} aria-hidden />
            <span>
              {messages.addSlot}
              <span className="sr-only">{messages.addSlotTo(name)}</span>
            </span>
          </Button>
        )}
      </div>
      {hours !== null && <OpeningHoursHint weekday={weekday} day={day} hours={hours} />}
    </fieldset>
  )
}

function openingText({ open, close }: { open: string; close: string }): string {
  // Equal opening and closing times mean open all day.
  return open === close ? messages.openAllDay : messages.opening(`${open}–${close}`)
}

function OpeningHoursHint({ weekday, day, hours }: Pick<DayRowProps, 'weekday' | 'day' | 'hours'>) {
  const opening = hours?.[weekday]
  return (
    <div className="nums grid content-start gap-1 text-sm text-muted md:col-start-2 xl:col-start-auto xl:py-3">
      <p>{opening ? openingText(opening) : messages.shut}</p>
      {isOutside(day, weekday, hours) && (
        <p role="status" className="flex items-start gap-1.5 text-warning">
          <TriangleAlert className="mt-0.5 size-4 shrink-0" strokeWidth={1.75} aria-hidden />
          {messages.outside}
        </p>
      )}
    </div>
  )
}
