import { useId } from 'react'
import { cn } from '@/lib/cn'
import { messages } from '../messages'
import type { BillingPeriod } from '../model/plan'

const periods: readonly BillingPeriod[] = ['monthly', 'yearly']

type PeriodSwitchProps = { value: BillingPeriod; onChange: (period: BillingPeriod) => void }

/** Monthly or yearly: one choice of two, as radio buttons. */
export function PeriodSwitch({ value, onChange }: PeriodSwitchProps) {
  const name = useId()
  return (
    <fieldset className="inline-flex rounded-control border border-control bg-surface p-1">
      <legend className="sr-only">{messages.period}</legend>
      {periods.map((period) => (
        <label
          key={period}
          className={cn(
            'inline-flex min-h-11 cursor-pointer items-center rounded-control px-4 font-semibold',
            'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary',
            value === period ? 'bg-primary text-on-primary' : 'hover:bg-sunken',
          )}
        >
          <input
            type="radio"
            className="sr-only"
            name={name}
            value={period}
            checked={value === period}
            onChange={() => onChange(period)}
          />
          {messages[period]}
        </label>
      ))}
    </fieldset>
  )
}
