import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { readPage } from '@/lib/paged'
import { db } from '@/lib/supabase'
import { adminPageSize, type ListState } from '../model/list'
import { quoted } from '../model/or-filter'
import { type ReportStatus, reportStatuses, reportTypes } from '../model/request'
import { containing } from '../model/ticket'
import { adminKeys } from './keys'
import { alwaysFresh, sharedList } from './list-options'

/** A report with what it is about, which is null if it no longer exists (ADMIN-REPORT-03). */
export type AdminReport = {
  id: string
  type: string
  reason: string
  details: string | null
  status: string
  created_at: string
  reviewed_at: string | null
  reporter_name: string | null
  reporter_avatar: string | null
  entity_name: string | null
  entity_image: string | null
  entity_preview: string | null
  entity_link: string | null
}

// The generated types do not say which columns of a view may be null.
type Whole = { merge: false }

const columns =
  'id, type, reason, details, status, created_at, reviewed_at, reporter_name, reporter_avatar, entity_name, entity_image, entity_preview, entity_link'

function request({ search, filters }: ListState) {
  const all = db.from('reports_with_entity').select(columns, { count: 'exact' })
  const pattern = quoted(containing(search))
  const found = search === '' ? all : all.or(`reason.ilike.${pattern},details.ilike.${pattern}`)
  const status = reportStatuses.find((one) => one === filters.status)
  const type = reportTypes.find((one) => one === filters.type)
  const ofStatus = status ? found.eq('status', status) : found
  return type ? ofStatus.eq('type', type) : ofStatus
}

/** A page of reports, newest first (ADMIN-REPORT-01, API-40). */
export const reportsQuery = (list: ListState) =>
  queryOptions({
    queryKey: adminKeys.list('reports', list),
    queryFn: ({ signal }) =>
      readPage(list.page, adminPageSize, (from, to) =>
        request(list)
          .order('created_at', { ascending: false })
          .order('id')
          .range(from, to)
          .abortSignal(signal)
          .overrideTypes<AdminReport[], Whole>(),
      ),
    ...sharedList,
  })

/** A single one, for an address that opens it; null if it no longer exists. */
export const reportQuery = (id: string) =>
  queryOptions({
    queryKey: adminKeys.row('reports', id),
    enabled: id !== '',
    queryFn: async ({ signal }): Promise<AdminReport | null> =>
      unwrap(
        await db
          .from('reports_with_entity')
          .select(columns)
          .eq('id', id)
          .abortSignal(signal)
          .maybeSingle()
          .overrideTypes<AdminReport, Whole>(),
      ),
    ...alwaysFresh,
  })

/** Decides pending reports (ADMIN-REPORT-04); returns the ids of those that were pending. */
export async function decideReports(
  ids: string[],
  status: Exclude<ReportStatus, 'pending'>,
): Promise<string[]> {
  const rows = unwrap(
    await db.from('reports').update({ status }).in('id', ids).eq('status', 'pending').select('id'),
  )
  return rows.map(({ id }) => id)
}
