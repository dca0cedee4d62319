import type { ReactNode } from 'react'
import { Segments } from '@/components/ui/segments'
import { type DateRange, rangeText } from '@/lib/date-range'
import { messages } from '../messages'
import { type Period, periods } from '../model/period'

type PeriodBarProps = {
  period: Period
  range: DateRange
  onChange: (period: Period) => void
  actions?: ReactNode
}

/** Selects the days (METRICS-14), and says which they are. */
export function PeriodBar({ period, range, onChange, actions }: PeriodBarProps) {
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Segments
          label={messages.periods}
          options={periods.map((key) => ({ key, label: messages.period[key] }))}
          value={period}
          onChange={onChange}
        />
        {actions}
      </div>
      <p className="nums text-sm text-muted">
        <span aria-live="polite">
          {rangeText(range)}. {messages.compared(period)}.
        </span>{' '}
        {messages.made}
      </p>
    </div>
  )
}
