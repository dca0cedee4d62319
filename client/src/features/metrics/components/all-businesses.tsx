import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { QueryState } from '@/components/query-state'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import type { DateRange } from '@/lib/date-range'
import { wallClock } from '@/lib/time'
import { allDaysQuery } from '../api/queries'
import { messages } from '../messages'
import { isEmpty, type Metrics } from '../model/day'
import type { MetricKey } from '../model/metric'
import { defaultPeriod, type Period, periodRange, periods } from '../model/period'
import { Figures, TrendLines } from './figures'
import { PeriodBar } from './period-bar'

/** The figures that have a sum over all businesses. */
const keys = [
  'pageViews',
  'searches',
  'photoViews',
  'calls',
  'directions',
  'websiteClicks',
  'messages',
  'bookings',
  'bookmarks',
  'leads',
  'checkIns',
  'reviews',
] as const satisfies readonly MetricKey[]

type AllBusinessesProps = {
  /** The number of days, as the URL has it. */
  days: string
  onDays: (days: string) => void
}

/** The sums of all businesses, compared with the days before (ADMIN-METRICS-02). */
export function AllFigures(props: AllBusinessesProps) {
  return (
    <AllDays {...props} skeleton="h-60">
      {(read, range) => <Figures keys={keys} read={read} range={range} />}
    </AllDays>
  )
}

/** The sums of all businesses by day, a chart for each figure (ADMIN-METRICS-02). */
export function AllTrends(props: AllBusinessesProps) {
  return (
    <AllDays {...props} skeleton="h-150">
      {(read, range) => <TrendLines keys={keys} read={read} range={range} />}
    </AllDays>
  )
}

type AllDaysProps = AllBusinessesProps & {
  skeleton: string
  children: (read: Metrics, range: DateRange) => ReactNode
}

function AllDays({ days, onDays, skeleton, children }: AllDaysProps) {
  const period: Period = periods.find((one) => one === days) ?? defaultPeriod
  const setPeriod = (next: Period) => onDays(next === defaultPeriod ? '' : next)
  // Days are those of each business; most are in this zone.
  const range = periodRange(period, wallClock(new Date(), 'Europe/Madrid').date)
  const query = useQuery(allDaysQuery(range))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <PeriodBar period={period} range={range} onChange={setPeriod} />
      <QueryState
        query={query}
        errorTitle={messages.failed}
        pending={
          <SkeletonGroup label={messages.pending}>
            <Skeleton className={`${skeleton} rounded-panel`} />
          </SkeletonGroup>
        }
        isEmpty={isEmpty}
        empty={
          <EmptyState
            as="h3"
            title={messages.empty}
            text={messages.emptyAll}
            {...(period !== '90' && {
              action: (
                <Button variant="outline" onClick={() => setPeriod('90')}>
                  {messages.showMore}
                </Button>
              ),
            })}
          />
        }
      >
        {(read) => children(read, range)}
      </QueryState>
    </div>
  )
}
