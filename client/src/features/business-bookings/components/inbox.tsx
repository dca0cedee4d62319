import { useQuery } from '@tanstack/react-query'
import { Navigate, useSearchParams } from 'react-router'
import { DataTable } from '@/components/data-table'
import { QueryState } from '@/components/query-state'
import { EmptyState } from '@/components/ui/empty-state'
import { Field } from '@/components/ui/field'
import { pageCount } from '@/components/ui/page-count'
import { Pagination } from '@/components/ui/pagination'
import { Select } from '@/components/ui/select'
import { inboxQuery } from '../api/queries'
import { messages } from '../messages'
import {
  type InboxFilter,
  inboxFilters,
  inboxPageSize,
  inboxParams,
  readInbox,
} from '../model/inbox'
import { bookingColumns } from './booking-columns'
import { BookingsPending } from './bookings-frame'
import type { BookingActions } from './use-booking-actions'

type InboxProps = {
  businessId: string
  onAction: BookingActions['onAction']
  busy: BookingActions['busy']
}

/** The bookings of a business, those waiting for an answer first (BOOK-18). */
export function Inbox({ businessId, onAction, busy }: InboxProps) {
  const [params, setParams] = useSearchParams()
  const address = readInbox(params)
  const query = useQuery(inboxQuery(businessId, address))
  const total = query.data?.total ?? 0
  const pages = pageCount(total, inboxPageSize)
  const hrefOf = (page: number) => `?${inboxParams({ ...address, page })}`
  // A page past the end (an old link, answered meanwhile): show the last page.
  if (query.data && !query.isPlaceholderData && address.page > pages) {
    return <Navigate to={hrefOf(pages)} replace />
  }
  const now = new Date()
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <FilterField
          value={address.filter}
          onChange={(filter) => setParams(inboxParams({ filter, page: 1 }))}
        />
        <p role="status" className="nums min-h-5 text-sm text-muted">
          {query.data && messages.count(total)}
        </p>
      </div>
      <QueryState
        query={query}
        pending={<BookingsPending />}
        errorTitle={messages.error}
        isEmpty={({ rows }) => rows.length === 0}
        empty={<EmptyState title={messages.empty[address.filter]} text={messages.emptyText} />}
      >
        {({ rows }) => (
          <DataTable
            caption={messages.caption}
            rows={rows}
            columns={bookingColumns({ now, onAction, busy })}
            rowId={({ id }) => id}
            rowName={({ customer }) => customer}
          />
        )}
      </QueryState>
      <Pagination page={address.page} pages={pages} hrefOf={hrefOf} />
    </div>
  )
}

type FilterFieldProps = { value: InboxFilter; onChange: (filter: InboxFilter) => void }

function FilterField({ value, onChange }: FilterFieldProps) {
  return (
    <Field label={messages.filterLabel} className="w-44">
      <Select
        value={value}
        onChange={(event) =>
          onChange(inboxFilters.find((one) => one === event.target.value) ?? 'open')
        }
      >
        {inboxFilters.map((filter) => (
          <option key={filter} value={filter}>
            {messages.filters[filter]}
          </option>
        ))}
      </Select>
    </Field>
  )
}
