import { useQuery } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import { useState } from 'react'
import { type Column, DataTable } from '@/components/data-table'
import { QueryState } from '@/components/query-state'
import { Alert } from '@/components/ui/alert'
import { Badge } from '@/components/ui/badge'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { countText } from '@/lib/formats'
import { doctorQuery, schemaQuery } from '../api/schema'
import { messages } from '../messages'
import { type Finding, type SchemaTable, sizeText } from '../model/schema'
import { schemaMessages as texts } from '../schema-messages'
import { ListSkeleton } from './list-skeleton'
import { RowActions } from './row-actions'
import { SchemaDialog } from './schema-dialog'

/** The tables of the data API with their policies, and what the doctor finds (C-19). */
export function SchemaPanel() {
  const query = useQuery(schemaQuery)
  const [opened, setOpened] = useState<SchemaTable | null>(null)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <div className="grid gap-1">
        <h2 className="text-xl">{texts.caption}</h2>
        <p className="text-sm text-muted">{texts.text}</p>
      </div>
      <Doctor />
      <QueryState
        query={query}
        errorTitle={texts.error}
        pending={<ListSkeleton label={texts.pending} />}
      >
        {(tables) => (
          <DataTable
            caption={texts.caption}
            rows={tables}
            columns={columns(setOpened)}
            rowId={({ name }) => name}
            rowName={({ name }) => name}
          />
        )}
      </QueryState>
      {opened && <SchemaDialog table={opened} onClose={() => setOpened(null)} />}
    </div>
  )
}

function Doctor() {
  const query = useQuery(doctorQuery)
  return (
    <section className="grid gap-3" aria-label={texts.doctor}>
      <h3 className="text-lg">{texts.doctor}</h3>
      <QueryState
        query={query}
        errorTitle={texts.doctorError}
        pending={
          <SkeletonGroup label={texts.doctorPending}>
            <Skeleton className="h-16 rounded-card" />
          </SkeletonGroup>
        }
      >
        {(findings) =>
          findings.length === 0 ? (
            <Alert tone="success" title={texts.healthy} />
          ) : (
            <ul className="grid gap-3">
              {findings.map((finding) => (
                <li key={`${finding.code} ${finding.subject}`}>
                  <FindingAlert {...finding} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryState>
    </section>
  )
}

function FindingAlert({ subject, problem, remedy }: Finding) {
  return (
    <Alert tone="warning" title={subject}>
      <p>{problem}</p>
      <p className="mt-2 text-sm text-muted">{texts.remedy}</p>
      <p className="whitespace-pre-wrap font-mono text-xs [overflow-wrap:anywhere]">{remedy}</p>
    </Alert>
  )
}

function columns(onOpen: (table: SchemaTable) => void): Column<SchemaTable>[] {
  return [
    {
      key: 'name',
      header: texts.name,
      isTitle: true,
      cell: ({ name }) => <span className="font-mono [overflow-wrap:anywhere]">{name}</span>,
    },
    { key: 'kind', header: texts.kind, cell: ({ kind }) => texts.kinds[kind] ?? kind },
    {
      key: 'rows',
      header: texts.rows,
      align: 'end',
      cell: ({ kind, row_estimate }) => (kind === 'view' ? '' : countText(row_estimate)),
    },
    {
      key: 'size',
      header: texts.size,
      align: 'end',
      cell: ({ kind, bytes }) => (kind === 'view' ? '' : sizeText(bytes)),
    },
    {
      key: 'security',
      header: texts.security,
      isMinor: true,
      cell: ({ kind, has_rls }) =>
        kind === 'view' ? (
          ''
        ) : (
          <Badge tone={has_rls ? 'success' : 'danger'}>{has_rls ? texts.on : texts.off}</Badge>
        ),
    },
    {
      key: 'policies',
      header: texts.policies,
      align: 'end',
      cell: ({ policies }) => countText(policies.length),
    },
    {
      key: 'actions',
      header: messages.actions,
      align: 'end',
      isActions: true,
      cell: (table) => (
        <RowActions
          name={table.name}
          actions={[{ label: texts.viewDetails, icon: Eye, onSelect: () => onOpen(table) }]}
        />
      ),
    },
  ]
}
