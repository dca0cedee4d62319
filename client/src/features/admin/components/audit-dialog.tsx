import type { UseQueryResult } from '@tanstack/react-query'
import { QueryState } from '@/components/query-state'
import { Dialog } from '@/components/ui/dialog'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { auditMessages as texts } from '../audit-messages'
import { type AuditEntry, actorOf, changesOf, nameOf, timestampText } from '../model/audit'
import { requestMessages } from '../request-messages'
import { Facts } from './facts'

type AuditDialogProps = {
  /** The entry, if it is on the page that is shown. */
  entry: AuditEntry | undefined
  query: UseQueryResult<AuditEntry | null>
  onClose: () => void
}

/** An entry with what changed, field by field (ADMIN-AUDIT-03). */
export function AuditDialog({ entry, query, onClose }: AuditDialogProps) {
  const known = entry ?? query.data
  return (
    <Dialog
      open
      shape="sheet"
      onClose={onClose}
      title={known ? nameOf(known) : known === null ? requestMessages.goneTitle : texts.pending}
    >
      {entry ? (
        <Details entry={entry} />
      ) : (
        <QueryState
          query={query}
          errorTitle={texts.error}
          pending={
            <SkeletonGroup label={texts.pending} className="grid gap-3">
              <Skeleton className="h-6" />
              <Skeleton className="h-24" />
            </SkeletonGroup>
          }
        >
          {(read) =>
            read ? <Details entry={read} /> : <p className="text-muted">{requestMessages.gone}</p>
          }
        </QueryState>
      )}
    </Dialog>
  )
}

function Details({ entry }: { entry: AuditEntry }) {
  // A created row has nothing before, a deleted one nothing after.
  const [hasBefore, hasAfter] = [entry.action !== 'INSERT', entry.action !== 'DELETE']
  const actor = [actorOf(entry), entry.actor_display_id].filter(Boolean).join(' · ')
  return (
    <div className="grid gap-6">
      <Facts
        facts={[
          { label: texts.time, value: timestampText(entry.created_at) },
          { label: texts.actor, value: actor },
          { label: texts.table, value: entry.table_name },
          { label: texts.record, value: entry.record_id },
        ]}
      />
      <Table caption={texts.changes}>
        <thead>
          <tr>
            <Th>{texts.field}</Th>
            {hasBefore && <Th>{texts.before}</Th>}
            {hasAfter && <Th>{texts.after}</Th>}
          </tr>
        </thead>
        <tbody>
          {changesOf(entry).map(({ field, before, after }) => (
            <Tr key={field}>
              <Td className="font-mono text-xs">{field}</Td>
              {hasBefore && <Value>{before}</Value>}
              {hasAfter && <Value>{after}</Value>}
            </Tr>
          ))}
        </tbody>
      </Table>
    </div>
  )
}

function Value({ children }: { children: string | null }) {
  return (
    <Td>
      {children === null ? (
        <span className="text-sm text-muted">{texts.nothing}</span>
      ) : (
        <span className="block max-h-40 overflow-y-auto whitespace-pre-wrap text-sm [overflow-wrap:anywhere]">
          {children}
        </span>
      )}
    </Td>
  )
}
