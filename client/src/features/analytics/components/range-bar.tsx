import { CalendarDays } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Popover } from '@/components/ui/popover'
import { RangeCalendar } from '@/components/ui/range-calendar'
import { Select } from '@/components/ui/select'
import { type DateRange, daysOf, rangeText } from '@/lib/date-range'
import { messages } from '../messages'
import type { AnalyticsAddress } from '../model/address'
import { maxDays, type Preset, presetRange, presets } from '../model/range'

type RangeBarProps = {
  preset: Preset
  range: DateRange
  today: string
  /** The last selectable day. */
  max: string
  onChange: (change: Partial<AnalyticsAddress>) => void
}

const firstDay = '2000-01-01'

/** Selects the dates: a preset, or a custom range from a calendar (METRICS-08). */
export function RangeBar({ preset, range, today, max, onChange }: RangeBarProps) {
  const choose = (value: string) => {
    const next = presets.find((one) => one === value) ?? 'custom'
    onChange({ preset: next, range: next === 'custom' ? range : presetRange(next, today) })
  }
  return (
    <div className="grid gap-1.5 max-sm:w-full">
      <div className="flex flex-wrap items-end gap-3">
        <Field label={messages.dates} className="w-44 max-sm:flex-1">
          <Select value={preset} onChange={(event) => choose(event.target.value)}>
            {presets.map((one) => (
              <option key={one} value={one}>
                {messages.preset[one]}
              </option>
            ))}
          </Select>
        </Field>
        {preset === 'custom' && (
          <Popover
            label={messages.chooseDates}
            align="center"
            className="w-88 p-3 md:w-168"
            trigger={(props) => (
              <Button {...props} variant="outline">
                <CalendarDays className="size-5 text-muted" strokeWidth={1.75} aria-hidden />
                {messages.chooseDates}
              </Button>
            )}
          >
            {(close) => (
              <RangeCalendar
                value={range}
                onChange={(chosen) => {
                  onChange({ preset: 'custom', range: chosen })
                  close()
                }}
                today={today}
                min={firstDay}
                max={max}
                maxDays={maxDays}
              />
            )}
          </Popover>
        )}
      </div>
      <p className="nums text-sm text-muted" aria-live="polite">
        {rangeText(range)}. {messages.compared(daysOf(range))}.
      </p>
    </div>
  )
}
