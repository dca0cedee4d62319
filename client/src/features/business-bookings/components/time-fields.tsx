import { Controller, type FieldValues, type Path, type UseFormReturn } from 'react-hook-form'
import { FormField } from '@/components/form-field'
import { DatePicker } from '@/components/ui/date-picker'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { messages } from '../messages'

type TimeFieldsProps<V extends FieldValues> = {
  form: UseFormReturn<V>
  date: Path<V>
  time: Path<V>
  /** Today in the business's time zone. */
  today: string
}

/** A day and a time in the business's time zone. */
export function TimeFields<V extends FieldValues>({ form, date, time, today }: TimeFieldsProps<V>) {
  return (
    <div className="grid gap-5 sm:grid-cols-[1fr_9rem]">
      <Controller
        control={form.control}
        name={date}
        render={({ field, fieldState }) => (
          <Field label={messages.date} error={fieldState.error?.message}>
            <DatePicker
              value={field.value || null}
              onChange={field.onChange}
              today={today}
              min={today}
            />
          </Field>
        )}
      />
      <FormField form={form} name={time} label={messages.time}>
        {(control) => <Input {...control} type="time" step={300} />}
      </FormField>
    </div>
  )
}
