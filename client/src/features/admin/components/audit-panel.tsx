import { useMutation, useQuery } from '@tanstack/react-query'
import { Download, Eye } from 'lucide-react'
import type { Column } from '@/components/data-table'
import { QueryState } from '@/components/query-state'
import { Alert } from '@/components/ui/alert'
import { Badge, type BadgeTone } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { showToast } from '@/components/ui/toast'
import { toCsv } from '@/lib/csv'
import { describeError } from '@/lib/error-text'
import { countText } from '@/lib/formats'
import { saveFile } from '@/lib/save-file'
import {
  auditEntryQuery,
  auditQuery,
  auditTablesQuery,
  auditTotalsQuery,
  readForExport,
} from '../api/audit'
import { auditMessages as texts } from '../audit-messages'
import { messages } from '../messages'
import {
  type AuditEntry,
  actorOf,
  auditActions,
  auditList,
  auditPageSize,
  auditRows,
  nameOf,
  timestampText,
} from '../model/audit'
import { useList } from '../model/use-list'
import { AdminList } from './admin-list'
import { AuditDialog } from './audit-dialog'
import { ChoiceFilter } from './choice-filter'
import { Figures, figuresGrid } from './figures'
import { RowActions } from './row-actions'

const tones: Readonly<Record<string, BadgeTone>> = {
  INSERT: 'success',
  UPDATE: 'primary',
  DELETE: 'danger',
}

/** The audit log: totals, filters, details, export (ADMIN-AUDIT-01 to ADMIN-AUDIT-05). */
export function AuditPanel() {
  const address = useList(auditList)
  const query = useQuery(auditQuery(address.list))
  const opened = useQuery(auditEntryQuery(address.list.row))
  const { data: tables = [] } = useQuery(auditTablesQuery)
  const save = useMutation({
    mutationFn: () => readForExport(address.list),
    onSuccess: ({ entries, total }) => {
      const day = timestampText(new Date().toISOString()).slice(0, 10)
      saveFile(`audit-logs-${day}.csv`, 'text/csv', toCsv(auditRows(entries)))
      const isPart = entries.length < total
      showToast({
        title: texts.exported,
        text: isPart
          ? texts.exportedPart(countText(entries.length), countText(total))
          : countText(total),
        tone: isPart ? 'info' : 'success',
      })
    },
  })
  const shown = query.data?.rows.find(({ id }) => id === address.list.row)
  return (
    <>
      <AdminList
        words={texts}
        errorTitle={texts.error}
        address={address}
        query={query}
        pageSize={auditPageSize}
        rowName={nameOf}
        columns={columns((entry) => address.open(entry.id))}
        above={<Totals />}
        actions={
          <Button variant="outline" pending={save.isPending} onClick={() => save.mutate()}>
            <Download className="size-4.5" strokeWidth={1.75} aria-hidden />
            {texts.export}
          </Button>
        }
        notice={
          save.isError && (
            <Alert tone="danger" title={texts.exportFailed}>
              {describeError(save.error)}
            </Alert>
          )
        }
        filter={
          <>
            <ChoiceFilter
              address={address}
              name="table"
              label={texts.table}
              any={texts.anyTable}
              options={tables.map((table) => ({ value: table, label: table }))}
              isOpenEnded
            />
            <ChoiceFilter
              address={address}
              name="action"
              label={texts.action}
              any={texts.anyAction}
              options={auditActions.map((value) => ({
                value,
                label: texts.actions[value] ?? value,
              }))}
            />
          </>
        }
        removals={0}
      />
      {address.list.row !== '' && (
        <AuditDialog
          key={address.list.row}
          entry={shown}
          query={opened}
          onClose={() => address.open('')}
        />
      )}
    </>
  )
}

function columns(onOpen: (entry: AuditEntry) => void): Column<AuditEntry>[] {
  return [
    {
      key: 'time',
      header: texts.time,
      cell: ({ created_at }) => (
        <span className="nums whitespace-nowrap">{timestampText(created_at)}</span>
      ),
    },
    {
      key: 'action',
      header: texts.action,
      cell: ({ action }) => (
        <Badge tone={tones[action] ?? 'neutral'}>{texts.actions[action] ?? action}</Badge>
      ),
    },
    { key: 'table', header: texts.table, isTitle: true, cell: ({ table_name }) => table_name },
    {
      key: 'record',
      header: texts.record,
      isMinor: true,
      cell: ({ record_id }) => (
        <span className="font-mono text-xs [overflow-wrap:anywhere]">{record_id}</span>
      ),
    },
    { key: 'actor', header: texts.actor, cell: actorOf },
    {
      key: 'actions',
      header: messages.actions,
      align: 'end',
      isActions: true,
      cell: (entry) => (
        <RowActions
          name={nameOf(entry)}
          actions={[{ label: texts.view, icon: Eye, onSelect: () => onOpen(entry) }]}
        />
      ),
    },
  ]
}

const kinds = ['logs', 'today', 'users', 'tables'] as const

function Totals() {
  const query = useQuery(auditTotalsQuery)
  return (
    <QueryState
      query={query}
      errorTitle={texts.totalsFailed}
      pending={
        <SkeletonGroup label={texts.pending} className={figuresGrid}>
          {kinds.map((kind) => (
            <Skeleton key={kind} className="h-20 rounded-card" />
          ))}
        </SkeletonGroup>
      }
    >
      {({ logs, today, active_users, tables }) => {
        const totals = { logs, today, users: active_users, tables }
        return (
          <Figures
            label={texts.totals}
            figures={kinds.map((kind) => ({ name: texts.totalNames[kind], value: totals[kind] }))}
          />
        )
      }}
    </QueryState>
  )
}
