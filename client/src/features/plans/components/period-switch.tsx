import { Segments } from '@/components/ui/segments'
import { messages } from '../messages'
import type { BillingPeriod } from '../model/plan'

const periods: readonly BillingPeriod[] = ['monthly', 'yearly']

type PeriodSwitchProps = { value: BillingPeriod; onChange: (period: BillingPeriod) => void }

/** Switches between monthly and yearly. */
export function PeriodSwitch({ value, onChange }: PeriodSwitchProps) {
  return (
    <Segments
      label={messages.period}
      options={periods.map((key) => ({ key, label: messages[key] }))}
      value={value}
      onChange={onChange}
    />
  )
}
