import { useQuery } from '@tanstack/react-query'
import type { Column } from '@/components/data-table'
import { QueryState } from '@/components/query-state'
import { Alert } from '@/components/ui/alert'
import { env } from '@/lib/env'
import { countText } from '@/lib/formats'
import { type Unmigrated, urlMigrationQuery, urlTotalsQuery } from '../api/url-migration'
import { migrationMessages as texts } from '../migration-messages'
import { refusalText } from '../model/refusal'
import type { Migration } from '../model/url-migration'
import { urlMigrationList } from '../model/url-migration'
import { useList } from '../model/use-list'
import { AdminList } from './admin-list'
import { ChoiceFilter } from './choice-filter'
import { Facts } from './facts'
import { MigrationActions, useMigration } from './migration-run'
import { NameList } from './name-list'
import { ProgressLine } from './progress-line'
import { TotalCards, TotalCardsSkeleton } from './total-cards'

/** Moves the addresses of businesses to /{location}/{category}/{id}/{company} (ADMIN-MIGR). */
export function UrlMigrationPanel() {
  const address = useList(urlMigrationList)
  const query = useQuery(urlMigrationQuery(address.list))
  const migration = useMigration()
  const { run } = migration
  return (
    <AdminList
      words={texts}
      errorTitle={texts.error}
      address={address}
      query={query}
      rowName={({ name }) => name}
      columns={columns}
      actions={<MigrationActions {...migration} />}
      above={
        <>
          <Totals done={migration.isRunning ? migration.state : null} />
          <Formats />
          {run.isError && (
            <Alert tone="danger" title={texts.failed}>
              {refusalText(run.error)} {texts.kept(resultText(migration.state))}
            </Alert>
          )}
          {run.data !== undefined && <Result isComplete={run.data} state={migration.state} />}
          <h3 className="text-lg">{texts.dryRun}</h3>
        </>
      }
      filter={
        <ChoiceFilter
          address={address}
          name="state"
          label={texts.state}
          any={texts.anyState}
          options={[{ value: 'errors', label: texts.states.errors }]}
        />
      }
      removals={0}
    />
  )
}

function resultText({ successful, errors }: Migration): string {
  return texts.result(countText(successful), countText(errors))
}

function Result({ isComplete, state }: { isComplete: boolean; state: Migration }) {
  const result = resultText(state)
  return (
    <Alert
      tone={state.errors > 0 ? 'warning' : 'success'}
      title={isComplete ? texts.completed : texts.stopped}
    >
      <p>{isComplete ? result : texts.stoppedText(result)}</p>
      {state.failures.length > 0 && (
        <NameList rows={state.failures} nameOf={({ name }) => name} noteOf={({ error }) => error} />
      )}
    </Alert>
  )
}

const columns: Column<Unmigrated>[] = [
  { key: 'name', header: texts.business, isTitle: true, cell: ({ name }) => name },
  {
    key: 'old',
    header: texts.oldUrl,
    cell: ({ old_url }) => <span className="[overflow-wrap:anywhere]">{old_url}</span>,
  },
  {
    key: 'new',
    header: texts.newUrl,
    cell: ({ new_url, error }) => (
      <span className={error === null ? '[overflow-wrap:anywhere]' : 'text-danger'}>
        {error ?? new_url}
      </span>
    ),
  },
]

const kinds = ['total', 'migrated', 'remaining'] as const

/** The counts; while the migration runs, with what it has done. */
function Totals({ done }: { done: Migration | null }) {
  const query = useQuery(urlTotalsQuery)
  return (
    <QueryState
      query={query}
      errorTitle={texts.totalsFailed}
      pending={<TotalCardsSkeleton label={texts.pending} count={kinds.length} />}
    >
      {(read) => {
        const step = Math.min(done?.successful ?? 0, read.remaining)
        const totals = {
          total: read.total,
          migrated: read.migrated + step,
          remaining: read.remaining - step,
        }
        return (
          <div className="grid gap-4">
            <TotalCards
              label={texts.totals}
              totals={kinds.map((kind) => ({ label: texts.totalNames[kind], count: totals[kind] }))}
            />
            <ProgressLine
              text={texts.progress(countText(totals.migrated), countText(totals.total))}
              value={totals.migrated}
              max={totals.total}
            />
          </div>
        )
      }}
    </QueryState>
  )
}

/** Both formats, with the domain of this server (ADMIN-MIGR-07). */
function Formats() {
  return (
    <section aria-label={texts.formats} className="rounded-card border border-line bg-surface p-4">
      <Facts
        facts={[
          { label: texts.oldFormat, value: `${env.siteUrl}/business/{slug}` },
          { label: texts.newFormat, value: `${env.siteUrl}/{location}/{category}/{id}/{company}` },
        ]}
      />
    </section>
  )
}
