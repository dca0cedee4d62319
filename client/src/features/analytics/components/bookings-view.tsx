import { useQuery } from '@tanstack/react-query'
import { Chart } from '@/components/charts/chart'
import { maxBars } from '@/components/charts/chart-size'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { type Weekday, weekdays } from '@/lib/time'
import { hoursQuery, servicesQuery } from '../api/queries'
import { messages } from '../messages'
import { hoursChart, servicesChart } from '../model/chart'
import { busiestHour, hoursOf } from '../model/figures'
import { hourText } from '../model/words'
import { AnalyticsState } from './analytics-state'
import type { ViewProps } from './view-props'

/** Bookings by service and by hour (METRICS-04, METRICS-05). */
export function BookingsView(props: ViewProps) {
  const services = useQuery(servicesQuery(props.businessId, props.address.range))
  return (
    <AnalyticsState
      {...props}
      query={services}
      height="h-100"
      isEmpty={(list) => list.length === 0}
    >
      {(list) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <Chart
            kind="bars"
            title={messages.byService}
            {...(list.length > maxBars && { text: messages.byServiceFirst(maxBars) })}
            data={servicesChart(list)}
          />
          <PeakHours {...props} />
        </div>
      )}
    </AnalyticsState>
  )
}

function PeakHours(props: ViewProps) {
  const { businessId, address, onChange } = props
  const query = useQuery(hoursQuery(businessId, address.range))
  return (
    <AnalyticsState {...props} query={query} height="h-100">
      {(counts) => {
        const hours = hoursOf(counts, address.weekday)
        const busiest = busiestHour(hours)
        return (
          <Chart
            kind="columns"
            title={messages.peakHours}
            text={busiest === null ? messages.noHours : messages.busiest(hourText(busiest))}
            data={hoursChart(hours)}
            actions={
              <WeekdayFilter
                value={address.weekday}
                onChange={(weekday) => onChange({ weekday })}
              />
            }
          />
        )
      }}
    </AnalyticsState>
  )
}

type WeekdayFilterProps = { value: Weekday | null; onChange: (weekday: Weekday | null) => void }

function WeekdayFilter({ value, onChange }: WeekdayFilterProps) {
  return (
    <Field label={messages.weekdays} hideLabel className="w-40">
      <Select
        value={value ?? ''}
        onChange={(event) => onChange(weekdays.find((day) => day === event.target.value) ?? null)}
      >
        <option value="">{messages.allDays}</option>
        {weekdays.map((day) => (
          <option key={day} value={day}>
            {messages.weekday[day]}
          </option>
        ))}
      </Select>
    </Field>
  )
}
