import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '@/lib/errors'
import { readPage } from '@/lib/paged'
import { db } from '@/lib/supabase'
import { adminPageSize, type ListState } from '../model/list'
import { type ReviewStatus, reviewStatuses } from '../model/request'
import { containing } from '../model/ticket'
import { adminKeys } from './keys'
import { alwaysFresh, sharedList } from './list-options'

const columns =
  'id, business_name, business_type, business_description, location, status, created_at, reviewed_at, superseded_at, applicant:profiles(full_name, avatar_url, display_id)'

function request({ search, filters }: ListState) {
  const all = db.from('seller_applications').select(columns, { count: 'exact' })
  const found = search === '' ? all : all.ilike('business_name', containing(search))
  const status = reviewStatuses.find((one) => one === filters.status)
  return status ? found.eq('status', status) : found
}

/** A page of seller applications, newest first (ADMIN-APP-01, API-39). */
export const applicationsQuery = (list: ListState) =>
  queryOptions({
    queryKey: adminKeys.list('applications', list),
    queryFn: ({ signal }) =>
      readPage(list.page, adminPageSize, (from, to) =>
        request(list)
          .order('created_at', { ascending: false })
          .order('id')
          .range(from, to)
          .abortSignal(signal),
      ),
    ...sharedList,
  })

export type AdminApplication = Awaited<
  ReturnType<NonNullable<ReturnType<typeof applicationsQuery>['queryFn']>>
>['rows'][number]

/** A single one, for an address that opens it; null if it no longer exists. */
export const applicationQuery = (id: string) =>
  queryOptions({
    queryKey: adminKeys.row('applications', id),
    enabled: id !== '',
    queryFn: async ({ signal }): Promise<AdminApplication | null> =>
      unwrap(
        await db
          .from('seller_applications')
          .select(columns)
          .eq('id', id)
          .abortSignal(signal)
          .maybeSingle(),
      ),
    ...alwaysFresh,
  })

/** Decides pending applications (ADMIN-APP-06); returns the ids of those that were pending. */
export async function decideApplications(
  ids: string[],
  status: Exclude<ReviewStatus, 'pending'>,
): Promise<string[]> {
  const rows = unwrap(
    await db
      .from('seller_applications')
      .update({ status })
      .in('id', ids)
      .eq('status', 'pending')
      .select('id'),
  )
  return rows.map(({ id }) => id)
}

/** Deletes applications (ADMIN-APP-04); returns the ids of those that existed. */
export async function deleteApplications(ids: string[]): Promise<string[]> {
  const rows = unwrap(await db.from('seller_applications').delete().in('id', ids).select('id'))
  return rows.map(({ id }) => id)
}
