import { useQuery } from '@tanstack/react-query'
import { cn } from '@/lib/cn'
import { formatPrice } from '@/lib/money'
import { formatDay } from '@/lib/time'
import { matchesQuery, nextSlotsQuery } from '../api/line-queries'
import { messages } from '../messages'
import { lineClass } from './line-placeholders'

type Row = { id: string; owner_id: string | null }

type ResultLinesProps = {
  business: Row
  /** All rows of the page: the lines of all are requested together. */
  rows: readonly Row[]
  /** The search text; '' if there is none. */
  findDesc: string
}

/**
 * Additional lines of a result: the next free slot, if bookings are accepted, and the service that
 * matches the search. Space for each line is reserved before it is loaded.
 */
export function ResultLines({ business, rows, findDesc }: ResultLinesProps) {
  return (
    <>
      {business.owner_id !== null && <NextLine id={business.id} rows={rows} />}
      {findDesc !== '' && <MatchLine id={business.id} rows={rows} findDesc={findDesc} />}
    </>
  )
}

function NextLine({ id, rows }: { id: string; rows: readonly Row[] }) {
  const bookable = rows.filter((row) => row.owner_id !== null)
  const { data } = useQuery(nextSlotsQuery(bookable.map((row) => row.id)))
  const next = data?.get(id)
  if (!data) return <p className={lineClass} aria-hidden />
  if (!next) return <p className={cn(lineClass, 'text-muted')}>{messages.noneFree}</p>
  return (
    <p className={cn(lineClass, 'rounded-chip bg-primary-soft px-2 font-semibold text-primary')}>
      {messages.nextFree(formatDay(next.booking_date), next.start_time.slice(0, 5))}
    </p>
  )
}

function MatchLine({ id, rows, findDesc }: { id: string; rows: readonly Row[]; findDesc: string }) {
  const { data } = useQuery(
    matchesQuery(
      rows.map((row) => row.id),
      findDesc,
    ),
  )
  const match = data?.get(id)
  if (!match) return <p className={lineClass} aria-hidden />
  return (
    <p className={cn(lineClass, 'flex max-w-full gap-x-2')}>
      <span className="sr-only">{messages.offers}</span>
      <span className="truncate font-semibold">{match.name}</span>
      <span className="text-muted">
        {match.price > 0 ? formatPrice(match.price) : messages.free}
      </span>
    </p>
  )
}
