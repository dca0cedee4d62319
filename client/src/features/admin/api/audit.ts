import { queryOptions } from '@tanstack/react-query'
import { unwrap, unwrapCounted } from '@/lib/errors'
import { readPage } from '@/lib/paged'
import { db } from '@/lib/supabase'
import { type AuditEntry, auditActions, auditPageSize, maxExported } from '../model/audit'
import type { ListState } from '../model/list'
import { quoted } from '../model/or-filter'
import { containing } from '../model/ticket'
import { adminKeys } from './keys'
import { alwaysFresh, sharedList } from './list-options'

const columns =
  'id, user_id, table_name, action, record_id, changed_fields, old_data, new_data, created_at, actor_name, actor_display_id'

function request({ search, filters }: ListState, count: boolean) {
  const all = db
    .from('audit_logs_with_actor')
    .select(columns, count ? { count: 'exact' } : {})
    .order('created_at', { ascending: false })
    .order('id')
  const pattern = quoted(containing(search))
  const found =
    search === '' ? all : all.or(`table_name.ilike.${pattern},record_id.ilike.${pattern}`)
  const { table = '', action = '' } = filters
  const ofTable = table === '' ? found : found.eq('table_name', table)
  return auditActions.some((one) => one === action) ? ofTable.eq('action', action) : ofTable
}

type Whole = { merge: false }

/** A page of the audit log, newest first (ADMIN-AUDIT-02, ADMIN-AUDIT-03, API-41). */
export const auditQuery = (list: ListState) =>
  queryOptions({
    queryKey: adminKeys.list('audit', list),
    queryFn: ({ signal }) =>
      readPage<AuditEntry>(list.page, auditPageSize, (from, to) =>
        request(list, true)
          .range(from, to)
          .abortSignal(signal)
          .overrideTypes<AuditEntry[], Whole>(),
      ),
    ...sharedList,
  })

/** A single entry, for an address that opens it; null if it no longer exists. */
export const auditEntryQuery = (id: string) =>
  queryOptions({
    queryKey: adminKeys.row('audit', id),
    enabled: id !== '',
    queryFn: async ({ signal }): Promise<AuditEntry | null> =>
      unwrap(
        await db
          .from('audit_logs_with_actor')
          .select(columns)
          .eq('id', id)
          .abortSignal(signal)
          .maybeSingle()
          .overrideTypes<AuditEntry, Whole>(),
      ),
    ...alwaysFresh,
  })

/** Counts the whole log, today in the reader's time zone (ADMIN-AUDIT-01). */
export const auditTotalsQuery = queryOptions({
  queryKey: [...adminKeys.tab('audit'), 'totals'] as const,
  queryFn: async ({ signal }) =>
    unwrap(
      await db
        .rpc('admin_audit_totals', {
          p_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        })
        .abortSignal(signal)
        .single(),
    ),
  staleTime: 0,
})

/** The tables that are watched. */
export const auditTablesQuery = queryOptions({
  queryKey: [...adminKeys.tab('audit'), 'tables'] as const,
  queryFn: async ({ signal }) => {
    const rows = unwrap(
      await db.rpc('admin_audit_tables', undefined, { get: true }).abortSignal(signal),
    )
    return rows.map(({ name }) => name)
  },
})

const exportStep = 1000

/** Reads the newest entries of a list for a file, and the number of all. */
export async function readForExport(list: ListState) {
  const first = unwrapCounted(
    await request(list, true)
      .range(0, exportStep - 1)
      .overrideTypes<AuditEntry[], Whole>(),
  )
  const entries = first.rows
  while (entries.length < Math.min(first.total, maxExported)) {
    const from = entries.length
    const rows = unwrap(
      await request(list, false)
        .range(from, from + exportStep - 1)
        .overrideTypes<AuditEntry[], Whole>(),
    )
    if (rows.length === 0) break
    entries.push(...rows)
  }
  return { entries, total: first.total }
}
