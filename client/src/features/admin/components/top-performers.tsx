import { useQuery } from '@tanstack/react-query'
import { QueryState } from '@/components/query-state'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Segments } from '@/components/ui/segments'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { countText } from '@/lib/formats'
import { wallClock } from '@/lib/time'
import { topBusinessesQuery } from '../api/business-metrics'
import { metricsMessages as texts } from '../metrics-messages'
import {
  bestBy,
  monthRange,
  type TopBusiness,
  type TopMetric,
  type TopMonths,
  topMetrics,
  topMonths,
} from '../model/business-metrics'
import type { ListAddress } from '../model/use-list'

const grid = 'grid gap-5 md:grid-cols-2 2xl:grid-cols-3'

type TopPerformersProps = { address: ListAddress; onOpen: (id: string) => void }

/** The five best businesses by each metric (ADMIN-METRICS-03). */
export function TopPerformers({ address, onOpen }: TopPerformersProps) {
  const { list, change } = address
  const months = topMonths.find((one) => one === list.filters.months) ?? 'this'
  const setMonths = (next: TopMonths) =>
    change({ filters: { months: next === 'this' ? '' : next } })
  const today = wallClock(new Date(), 'Europe/Madrid').date
  const query = useQuery(topBusinessesQuery(monthRange(months, today)))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div>
        <Segments
          label={texts.months}
          options={topMonths.map((key) => ({ key, label: texts.month[key] }))}
          value={months}
          onChange={setMonths}
        />
      </div>
      <QueryState
        query={query}
        errorTitle={texts.topError}
        pending={
          <SkeletonGroup label={texts.topPending} className={grid}>
            {topMetrics.map((metric) => (
              <Skeleton key={metric} className="h-72 rounded-panel" />
            ))}
          </SkeletonGroup>
        }
        isEmpty={(all) => all.length === 0}
        empty={
          <EmptyState
            as="h3"
            title={texts.topEmpty}
            text={texts.topEmptyText}
            {...(months !== 'three' && {
              action: (
                <Button variant="outline" onClick={() => setMonths('three')}>
                  {texts.topLonger}
                </Button>
              ),
            })}
          />
        }
      >
        {(all) => (
          <div className={grid}>
            {topMetrics.map((metric) => (
              <TopList key={metric} metric={metric} best={bestBy(metric, all)} onOpen={onOpen} />
            ))}
          </div>
        )}
      </QueryState>
    </div>
  )
}

type TopListProps = {
  metric: TopMetric
  best: readonly TopBusiness[]
  onOpen: (id: string) => void
}

function TopList({ metric, best, onOpen }: TopListProps) {
  return (
    <section
      aria-label={texts.metric[metric]}
      className="grid content-start gap-2 rounded-panel border border-line bg-surface p-4 sm:p-5"
    >
      <h3 className="text-lg">{texts.metric[metric]}</h3>
      {best.length === 0 ? (
        <p className="text-muted">{texts.nobody}</p>
      ) : (
        <ol className="grid">
          {best.map(({ business_id, place, name, figure }) => (
            <li
              key={business_id}
              className="nums flex min-h-11 items-center gap-3 border-line border-b last:border-b-0"
            >
              <span className="w-4 text-sm text-muted" aria-hidden>
                {place}
              </span>
              <Button
                variant="link"
                size="inline"
                className="min-w-0 flex-1 justify-start text-start"
                onClick={() => onOpen(business_id)}
              >
                {name}
              </Button>
              <span className="font-semibold">
                {metric === 'rating' ? figure.toFixed(2) : countText(figure)}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
