import { CalendarDays } from 'lucide-react'
import { useId } from 'react'
import { cn } from '@/lib/cn'
import { formatDay } from '@/lib/time'
import { Calendar, type CalendarProps } from './calendar'
import { controlClass, useFieldProps } from './field'
import { messages } from './messages'
import { Popover } from './popover'

/** A button with a formatted day that opens the calendar. Used in a Field. */
export function DatePicker({
  placeholder = 'Choose a day',
  ...calendar
}: CalendarProps & { placeholder?: string }) {
  const field = useFieldProps({})
  const valueId = useId()
  return (
    <Popover
      label={messages.chooseDay}
      className="p-3"
      trigger={(props) => (
        <button
          {...props}
          {...field}
          // The label is the button's whole name: the day is not part of it.
          aria-describedby={cn(valueId, field['aria-describedby'])}
          className={cn(controlClass, 'flex h-11 items-center justify-between gap-2 text-start')}
        >
          {calendar.value === null ? (
            <span id={valueId} className="text-muted">
              {placeholder}
            </span>
          ) : (
            <span id={valueId}>{formatDay(calendar.value, 'long')}</span>
          )}
          <CalendarDays className="size-5 text-muted" strokeWidth={1.75} aria-hidden />
        </button>
      )}
    >
      {(close) => (
        <Calendar
          {...calendar}
          onChange={(date) => {
            calendar.onChange(date)
            close()
          }}
        />
      )}
    </Popover>
  )
}
