import type { Column } from '@/components/data-table'
import { Badge, type BadgeTone } from '@/components/ui/badge'
import type { Request } from '../model/request'
import type { ListAddress } from '../model/use-list'
import { dayText } from '../model/words'
import { requestMessages as texts } from '../request-messages'
import { ChoiceFilter } from './choice-filter'
import type { Fact } from './facts'

const tones: Readonly<Record<string, BadgeTone>> = {
  pending: 'warning',
  approved: 'success',
  resolved: 'success',
  rejected: 'neutral',
}

function StatusBadge({ status }: { status: string }) {
  return <Badge tone={tones[status] ?? 'neutral'}>{texts.statuses[status] ?? status}</Badge>
}

export const statusColumn: Column<Request> = {
  key: 'status',
  header: texts.status,
  cell: ({ status }) => <StatusBadge status={status} />,
}

type StatusFilterProps = { address: ListAddress; statuses: readonly string[] }

export function StatusFilter({ address, statuses }: StatusFilterProps) {
  return (
    <ChoiceFilter
      address={address}
      name="status"
      label={texts.status}
      any={texts.anyStatus}
      options={statuses.map((value) => ({ value, label: texts.statuses[value] ?? value }))}
    />
  )
}

/** A request's status, and the day on which it was decided. */
export function statusFact({
  status,
  reviewed_at,
}: Request & { reviewed_at: string | null }): Fact {
  return {
    label: texts.status,
    value: (
      <span className="inline-flex flex-wrap items-center gap-2">
        <StatusBadge status={status} />
        {reviewed_at !== null && <span className="text-sm text-muted">{dayText(reviewed_at)}</span>}
      </span>
    ),
  }
}
