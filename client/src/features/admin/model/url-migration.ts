import type { ListKind } from './list'

export const urlMigrationList: ListKind = {
  tab: 'url-migration',
  filters: ['state'],
  sorts: [],
  defaultSort: { key: 'id', descending: false },
}

/** The number of businesses per request, which takes well below a second. */
export const migrationBatch = 200

/** Maximum number of failures that are kept for display. */
const maxFailures = 50

export type MigratedRow = { business_id: string; name: string; error: string | null }
type Failure = { id: string; name: string; error: string }

/** The state of a run. */
export type Migration = { successful: number; errors: number; failures: readonly Failure[] }

export const noMigration: Migration = { successful: 0, errors: 0, failures: [] }

/** Adds the result of a batch. */
function addBatch(before: Migration, rows: readonly MigratedRow[]): Migration {
  const failed = rows.flatMap(({ business_id, name, error }) =>
    error === null ? [] : [{ id: business_id, name, error }],
  )
  return {
    successful: before.successful + rows.length - failed.length,
    errors: before.errors + failed.length,
    failures: [...before.failures, ...failed].slice(0, maxFailures),
  }
}

type Run = {
  migrate: (after: string | null) => Promise<readonly MigratedRow[]>
  onProgress: (state: Migration) => void
  isStopped: () => boolean
}

/**
 * Migrates batch by batch, until none is left or it is stopped; returns whether it reached the end.
 * It begins with the first business that is not migrated, so another run resumes a stopped one.
 */
export async function runMigration({ migrate, onProgress, isStopped }: Run): Promise<boolean> {
  let state = noMigration
  let after: string | null = null
  while (!isStopped()) {
    const rows = await migrate(after)
    state = addBatch(state, rows)
    onProgress(state)
    const last = rows.at(-1)
    if (!last || rows.length < migrationBatch) return true
    after = last.business_id
  }
  return false
}
