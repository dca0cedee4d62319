import { useQuery } from '@tanstack/react-query'
import type { Column } from '@/components/data-table'
import { Button } from '@/components/ui/button'
import { dayText } from '@/lib/date-range'
import { countText } from '@/lib/formats'
import { businessMetricsQuery, type OwnedMetrics } from '../api/business-metrics'
import { messages } from '../messages'
import { metricsMessages as texts } from '../metrics-messages'
import { metricsList } from '../model/business-metrics'
import type { ListAddress } from '../model/use-list'
import { AdminList } from './admin-list'

/** Businesses with their newest figures; a press opens one (ADMIN-METRICS-01, ADMIN-METRICS-05). */
export function MeasuredBusinesses({ address }: { address: ListAddress }) {
  const query = useQuery(businessMetricsQuery(address.list))
  return (
    <AdminList
      words={{ ...texts, text: texts.listText }}
      errorTitle={texts.error}
      // Sub-tab and days are not filters of the list: the button that clears filters keeps them.
      address={{
        ...address,
        kind: { ...metricsList, filters: [] },
        list: { ...address.list, filters: {} },
      }}
      query={query}
      rowName={({ name }) => name}
      columns={columns(address.open)}
      removals={0}
    />
  )
}

function count(
  key: 'num_total_page_views' | 'online_bookings' | 'total_leads',
  header: string,
): Column<OwnedMetrics> {
  return {
    key,
    header,
    isSortable: true,
    align: 'end',
    cell: (row) => <span className="nums">{countText(row[key])}</span>,
  }
}

function columns(onOpen: (id: string) => void): Column<OwnedMetrics>[] {
  return [
    {
      key: 'name',
      header: texts.name,
      isSortable: true,
      isTitle: true,
      cell: ({ id, name, display_id }) => (
        <div className="grid min-w-40 justify-items-start">
          <Button variant="link" size="inline" className="text-start" onClick={() => onOpen(id)}>
            {name}
          </Button>
          <span className="nums text-xs font-normal text-muted">{display_id}</span>
        </div>
      ),
    },
    {
      key: 'owner',
      header: texts.owner,
      isMinor: true,
      cell: ({ owner_id, owner }) =>
        owner_id === null ? (
          <span className="text-muted">{messages.businesses.noOwner}</span>
        ) : (
          (owner ?? messages.users.unnamed)
        ),
    },
    {
      key: 'metric_date',
      header: texts.date,
      isSortable: true,
      cell: ({ metric_date }) => (
        <span className="whitespace-nowrap">
          {dayText(metric_date, { day: 'numeric', month: 'short', year: 'numeric' })}
        </span>
      ),
    },
    count('num_total_page_views', texts.views),
    count('online_bookings', texts.bookings),
    count('total_leads', texts.leads),
    {
      key: 'rating',
      header: texts.rating,
      isSortable: true,
      align: 'end',
      cell: ({ rating }) => (
        <span className="nums">{rating === null ? texts.none : rating.toFixed(1)}</span>
      ),
    },
  ]
}
