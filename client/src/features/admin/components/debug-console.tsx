import { useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type Column, DataTable } from '@/components/data-table'
import { QueryState } from '@/components/query-state'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { useConnection } from '@/lib/connection'
import { clearFailures, type Failure, readFailures } from '@/lib/failures'
import type { Role } from '@/lib/role'
import { type PartState, serverQuery, sessionQuery } from '../api/debug'
import { debugMessages as texts } from '../debug-messages'
import { messages } from '../messages'
import { timestampText } from '../model/audit'
import { Facts } from './facts'

/** The state of the server, the session and this page (ROUTE-35, S-56). */
export function DebugConsole({ role, build }: { role: Role; build: string }) {
  const server = useQuery(serverQuery)
  const session = useQuery(sessionQuery)
  const [failures, setFailures] = useState(readFailures)
  const handleRefresh = () => {
    void server.refetch()
    void session.refetch()
    setFailures(readFailures())
  }
  const handleClear = () => {
    clearFailures()
    setFailures([])
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-10">
      <Part
        title={texts.server}
        action={
          <Button variant="outline" pending={server.isFetching} onClick={handleRefresh}>
            <RefreshCw className="size-4.5" strokeWidth={1.75} aria-hidden />
            {texts.refresh}
          </Button>
        }
      >
        <QueryState query={server} errorTitle={texts.serverError} pending={<Waiting />}>
          {(parts) => (
            <DataTable
              caption={texts.server}
              rows={parts}
              columns={serverColumns}
              rowId={({ id }) => id}
              rowName={({ id }) => texts.parts[id]}
            />
          )}
        </QueryState>
      </Part>
      <Part title={texts.session}>
        <QueryState query={session} errorTitle={texts.sessionError} pending={<Waiting />}>
          {(known) => (
            <Facts
              facts={[
                { label: texts.user, value: known?.userId ?? null },
                { label: texts.role, value: messages.users.roles[role] },
                { label: texts.level, value: known?.aal ?? null },
                { label: texts.sessionId, value: known?.sessionId ?? null },
                {
                  label: texts.expires,
                  value: known?.expiresAt
                    ? timestampText(new Date(known.expiresAt * 1000).toISOString())
                    : null,
                },
              ]}
            />
          )}
        </QueryState>
      </Part>
      <Part title={texts.page}>
        <PageFacts build={build} />
      </Part>
      <Part
        title={texts.failures}
        action={
          failures.length > 0 && (
            <Button variant="outline" onClick={handleClear}>
              {texts.clear}
            </Button>
          )
        }
      >
        <p className="text-sm text-muted" role="status">
          {texts.failuresText(failures.length)}
        </p>
        {failures.length > 0 && (
          <DataTable
            caption={texts.failures}
            rows={failures}
            columns={failureColumns}
            rowId={({ id }) => id}
            rowName={({ message }) => message}
          />
        )}
      </Part>
    </div>
  )
}

type PartProps = { title: string; action?: ReactNode; children: ReactNode }

function Part({ title, action, children }: PartProps) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-4">
        <h2 className="text-xl">{title}</h2>
        {action}
      </div>
      {children}
    </section>
  )
}

function Waiting() {
  return (
    <SkeletonGroup label={texts.checking} className="grid gap-3">
      <Skeleton className="h-52 rounded-card" />
    </SkeletonGroup>
  )
}

function PageFacts({ build }: { build: string }) {
  const connection = useConnection()
  return (
    <Facts
      facts={[
        { label: texts.build, value: build },
        { label: texts.connection, value: texts.connections[connection] },
        { label: texts.language, value: navigator.languages.join(', ') },
        { label: texts.zone, value: Intl.DateTimeFormat().resolvedOptions().timeZone },
        {
          label: texts.screen,
          value: `${window.innerWidth} × ${window.innerHeight}, ${window.devicePixelRatio}×`,
        },
      ]}
    />
  )
}

const serverColumns: Column<PartState>[] = [
  { key: 'part', header: texts.part, isTitle: true, cell: ({ id }) => texts.parts[id] },
  {
    key: 'state',
    header: texts.state,
    cell: ({ status }) =>
      status >= 200 && status < 300 ? (
        <Badge tone="success">{texts.ok}</Badge>
      ) : (
        <Badge tone="danger">{texts.failed(status)}</Badge>
      ),
  },
  { key: 'time', header: texts.time, align: 'end', cell: ({ ms }) => texts.ms(ms) },
]

const failureColumns: Column<Failure>[] = [
  {
    key: 'at',
    header: texts.at,
    cell: ({ at }) => <span className="nums whitespace-nowrap">{timestampText(at)}</span>,
  },
  { key: 'page', header: texts.where, isMinor: true, cell: ({ page }) => page },
  { key: 'kind', header: texts.kind, cell: ({ kind }) => kind },
  { key: 'code', header: texts.code, cell: ({ code }) => code },
  {
    key: 'message',
    header: texts.message,
    isTitle: true,
    cell: ({ message }) => <span className="[overflow-wrap:anywhere]">{message}</span>,
  },
]
