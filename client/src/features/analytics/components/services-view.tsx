import { useQuery } from '@tanstack/react-query'
import { type Column, DataTable } from '@/components/data-table'
import { Badge, type BadgeTone } from '@/components/ui/badge'
import { countText } from '@/lib/formats'
import { formatMoney } from '@/lib/money'
import { servicesQuery } from '../api/queries'
import { messages } from '../messages'
import { percentOf, rateGrade, type ServiceFigures } from '../model/figures'
import { percentText } from '../model/words'
import { AnalyticsState } from './analytics-state'
import type { ViewProps } from './view-props'

// The requirements' default, secondary and destructive (METRICS-07).
const tones: Record<ReturnType<typeof rateGrade>, BadgeTone> = {
  good: 'primary',
  fair: 'neutral',
  poor: 'danger',
}

function RateBadge({ bookings, completed }: ServiceFigures) {
  const percent = percentOf(completed, bookings)
  return <Badge tone={tones[rateGrade(percent)]}>{percentText(percent)}</Badge>
}

const columns: readonly Column<ServiceFigures>[] = [
  { key: 'name', header: messages.service, cell: ({ name }) => name, isTitle: true },
  {
    key: 'bookings',
    header: messages.bookings,
    cell: ({ bookings }) => countText(bookings),
    align: 'end',
  },
  {
    key: 'completed',
    header: messages.completed,
    cell: ({ completed }) => countText(completed),
    align: 'end',
  },
  { key: 'rate', header: messages.completionRate, cell: RateBadge, align: 'end' },
  {
    key: 'revenue',
    header: messages.revenue,
    cell: ({ revenue }) => formatMoney(revenue),
    align: 'end',
  },
]

/** The performance of each service (METRICS-06). */
export function ServicesView(props: ViewProps) {
  const query = useQuery(servicesQuery(props.businessId, props.address.range))
  return (
    <AnalyticsState
      {...props}
      query={query}
      height="h-100"
      isEmpty={(list) => list.length === 0}
      emptyTitle={messages.noServices}
    >
      {(list) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <div className="grid gap-1">
            <h3 className="text-lg">{messages.performance}</h3>
            <p className="text-sm text-muted">
              {messages.rateHelp} {messages.revenueHelp}
            </p>
          </div>
          <DataTable
            caption={messages.performance}
            rows={list}
            columns={columns}
            rowId={({ key }) => key}
            rowName={({ name }) => name}
          />
        </div>
      )}
    </AnalyticsState>
  )
}
