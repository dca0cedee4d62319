import { useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { QueryState } from '@/components/query-state'
import { Button } from '@/components/ui/button'
import { integrityQuery } from '../api/integrity'
import { integrityMessages as texts } from '../integrity-messages'
import {
  byUrgency,
  type CheckedCheck,
  countStatuses,
  integrityList,
  lastRun,
} from '../model/integrity'
import { useList } from '../model/use-list'
import { momentText } from '../model/words'
import { CheckCard } from './check-card'
import { FindingsPanel } from './findings-panel'
import { ListSkeleton } from './list-skeleton'
import { TotalCards, TotalCardsSkeleton } from './total-cards'

/** The integrity checks, or what one of them found (ADMIN-INTEG-01 to ADMIN-INTEG-10). */
export function IntegrityPanel() {
  const address = useList(integrityList)
  const check = address.list.filters.check ?? ''
  return check === '' ? <Checks /> : <FindingsPanel key={check} check={check} address={address} />
}

function Checks() {
  const query = useQuery(integrityQuery)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="grid gap-1">
          <h2 className="text-xl">{texts.caption}</h2>
          <p className="text-sm text-muted">{texts.text}</p>
        </div>
        <Button
          variant="outline"
          pending={query.isFetching && !query.isPending}
          onClick={() => void query.refetch()}
        >
          <RefreshCw className="size-4.5" strokeWidth={1.75} aria-hidden />
          {texts.refresh}
        </Button>
      </div>
      <QueryState
        query={query}
        errorTitle={texts.error}
        pending={
          <div className="grid gap-5">
            <TotalCardsSkeleton label={texts.pending} />
            <ListSkeleton label={texts.pending} />
          </div>
        }
      >
        {(results) => <Results results={results} at={query.dataUpdatedAt} />}
      </QueryState>
    </div>
  )
}

type ResultsProps = {
  results: readonly CheckedCheck[]
  /** When the checks ended, in milliseconds. */
  at: number
}

function Results({ results, at }: ResultsProps) {
  const counts = countStatuses(results)
  const night = lastRun(results)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <TotalCards
        label={texts.summary}
        totals={[
          { label: texts.totals.total, count: counts.total },
          { label: texts.totals.passed, count: counts.passed },
          { label: texts.totals.warnings, count: counts.warnings },
          { label: texts.totals.failed, count: counts.failed },
        ]}
      />
      <p className="nums text-sm text-muted">
        <span role="status">{texts.checkedAt(momentText(new Date(at).toISOString()))}</span>{' '}
        {night === null ? texts.noRun : texts.lastRun(momentText(night))}
      </p>
      <ul className="grid gap-3" aria-label={texts.results}>
        {byUrgency(results).map((result) => (
          <CheckCard key={result.check_key} result={result} />
        ))}
      </ul>
    </div>
  )
}
