import { useQuery } from '@tanstack/react-query'
import { formatMoney } from '@/lib/money'
import { weekdays } from '@/lib/time'
import { hoursQuery, servicesQuery } from '../api/queries'
import { messages } from '../messages'
import { type HourCount, highest, type ServiceFigures } from '../model/figures'
import { hourText } from '../model/words'
import { AnalyticsState } from './analytics-state'
import type { ViewProps } from './view-props'

/** The highlights of the selected dates: most booked, highest revenue, and busiest time. */
export function Standouts(props: ViewProps) {
  const { businessId, address } = props
  const services = useQuery(servicesQuery(businessId, address.range))
  const hours = useQuery(hoursQuery(businessId, address.range))
  return (
    <section
      aria-labelledby="analytics-standouts"
      className="grid gap-4 rounded-panel border border-line bg-surface p-4 sm:p-5"
    >
      <h3 id="analytics-standouts" className="text-lg">
        {messages.standsOut}
      </h3>
      <AnalyticsState {...props} query={services} height="h-20">
        {(list) => (
          <AnalyticsState {...props} query={hours} height="h-20">
            {(counts) => <StandoutList services={list} hours={counts} />}
          </AnalyticsState>
        )}
      </AnalyticsState>
    </section>
  )
}

type StandoutListProps = { services: readonly ServiceFigures[]; hours: readonly HourCount[] }

function StandoutList({ services, hours }: StandoutListProps) {
  const booked = highest(services, ({ bookings }) => bookings)
  const earning = highest(services, ({ revenue }) => revenue)
  const busiest = highest(hours, ({ bookings }) => bookings)
  const day = busiest && weekdays[busiest.weekday - 1]
  return (
    <dl className="grid gap-5 sm:grid-cols-3">
      <Standout
        label={messages.mostBooked}
        name={booked?.name}
        figure={messages.count(booked?.bookings ?? 0)}
      />
      <Standout
        label={messages.bestEarning}
        name={earning?.name}
        figure={formatMoney(earning?.revenue ?? 0)}
      />
      <Standout
        label={messages.busiestHour}
        name={busiest && day && `${messages.weekday[day]}, ${hourText(busiest.hour)}`}
        figure={messages.count(busiest?.bookings ?? 0)}
      />
    </dl>
  )
}

type StandoutProps = { label: string; name: string | undefined; figure: string }

function Standout({ label, name, figure }: StandoutProps) {
  return (
    <div className="grid content-start gap-1">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="font-semibold [overflow-wrap:anywhere]">{name ?? messages.none}</dd>
      {name !== undefined && <dd className="nums text-sm text-muted">{figure}</dd>}
    </div>
  )
}
