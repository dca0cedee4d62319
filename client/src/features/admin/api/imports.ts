import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { readPage } from '@/lib/paged'
import { db } from '@/lib/supabase'
import type { Fault } from '../model/import'
import { checkFile, readImportFile, sendChunks } from '../model/import-file'
import { adminPageSize, type ListState } from '../model/list'
import { containing } from '../model/ticket'
import { adminKeys } from './keys'
import { sharedList } from './list-options'

const pollMilliseconds = 1000

/** The caller's last import, null if there is none; followed while the server runs it. */
export const lastImportQuery = queryOptions({
  queryKey: [...adminKeys.tab('import'), 'last'] as const,
  queryFn: async ({ signal }) =>
    unwrap(await db.rpc('admin_import').abortSignal(signal).maybeSingle()),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.state === 'queued' ? pollMilliseconds : false),
})
export type Import = NonNullable<Awaited<ReturnType<NonNullable<typeof lastImportQuery.queryFn>>>>

export type StagedRow = {
  line: number
  state: string
  name: string | null
  type: string | null
  location: string | null
  fields: Record<string, string>
  faults: Fault[]
  duplicate_line: number | null
  duplicate_name: string | null
  duplicate_slug: string | null
}
export type ListedRow = StagedRow & { id: string }

const rowStates = ['faulty', 'duplicate', 'ready'] as const

function request(importId: string, { search, filters }: Pick<ListState, 'search' | 'filters'>) {
  const all = db
    .from('import_rows')
    .select(
      'line, state, name, type, location, fields, faults, duplicate_line, duplicate_name, duplicate_slug',
      { count: 'exact' },
    )
    .eq('import_id', importId)
    .order('line')
  const found = search === '' ? all : all.ilike('name', containing(search))
  const state = rowStates.find((one) => one === filters.state)
  return state ? found.eq('state', state) : found
}

/** A page of the staged rows of an import. */
export const importRowsQuery = (importId: string, checked: string, list: ListState) =>
  queryOptions({
    queryKey: [...adminKeys.list('import', list), importId, checked] as const,
    queryFn: async ({ signal }) => {
      const page = await readPage<StagedRow>(list.page, adminPageSize, (from, to) =>
        request(importId, list)
          .range(from, to)
          .abortSignal(signal)
          .overrideTypes<StagedRow[], { merge: false }>(),
      )
      return { ...page, rows: page.rows.map((row) => ({ ...row, id: String(row.line) })) }
    },
    ...sharedList,
  })

const exportStep = 1000

/** All rows with faults, for a file. */
export async function readFaultyRows(importId: string): Promise<StagedRow[]> {
  const rows: StagedRow[] = []
  for (;;) {
    const more = unwrap(
      await request(importId, { search: '', filters: { state: 'faulty' } })
        .range(rows.length, rows.length + exportStep - 1)
        .overrideTypes<StagedRow[], { merge: false }>(),
    )
    rows.push(...more)
    if (more.length < exportStep) return rows
  }
}

/** Reads a file and stages its rows; returns the columns that were ignored. Errors: FileError. */
export async function stageFile(
  file: File,
  onProgress: (share: number) => void,
): Promise<string[]> {
  // A file that cannot be read does not replace the former import.
  await checkFile(file)
  const id = unwrap(await db.rpc('admin_begin_import', { p_file_name: file.name }))
  const ignored = await sendChunks(
    readImportFile(file),
    async ({ columns, rows }) => {
      unwrap(await db.rpc('admin_stage_import', { p_import: id, p_columns: columns, p_rows: rows }))
    },
    onProgress,
  )
  await checkImport(id)
  return ignored
}

/** Counts faults and duplicates anew. */
export async function checkImport(id: string): Promise<void> {
  unwrap(await db.rpc('admin_check_import', { p_import: id }))
}

/** Errors: nothing_to_import, import_not_ready, import_not_found. */
export async function runImport(id: string, skipDuplicates: boolean): Promise<void> {
  unwrap(await db.rpc('admin_run_import', { p_import: id, p_skip_duplicates: skipDuplicates }))
}

/** Errors: import_running. */
export async function discardImport(id: string): Promise<void> {
  unwrap(await db.rpc('admin_discard_import', { p_import: id }))
}
