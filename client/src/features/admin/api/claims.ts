import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { documentBucket, readDocuments } from '@/lib/claim-documents'
import { AppError, toAppError, unwrap } from '@/lib/errors'
import { readPage } from '@/lib/paged'
import { db, loadSupabase } from '@/lib/supabase'
import { adminPageSize, type ListState } from '../model/list'
import { type ReviewStatus, reviewStatuses } from '../model/request'
import { adminKeys } from './keys'
import { alwaysFresh, sharedList } from './list-options'

const columns =
  'id, user_id, full_name, business_email, business_phone, role_at_company, verification_method, verified_at, verified_by, status, submitted_at, reviewed_at, admin_notes, business:businesses(id, name, location, website), claimant:profiles(full_name, avatar_url, display_id)'

function request({ search, filters }: ListState) {
  const found = db
    .rpc('admin_claims', { p_search: search }, { get: true, count: 'exact' })
    .select(columns)
  const status = reviewStatuses.find((one) => one === filters.status)
  return status ? found.eq('status', status) : found
}

/** A page of claims, newest first (ADMIN-CLAIM-01, ADMIN-CLAIM-09, API-38). */
export const claimsQuery = (list: ListState) =>
  queryOptions({
    queryKey: adminKeys.list('claims', list),
    queryFn: ({ signal }) =>
      readPage(list.page, adminPageSize, (from, to) =>
        request(list)
          .order('submitted_at', { ascending: false })
          .order('id')
          .range(from, to)
          .abortSignal(signal),
      ),
    ...sharedList,
  })

export type AdminClaim = Awaited<
  ReturnType<NonNullable<ReturnType<typeof claimsQuery>['queryFn']>>
>['rows'][number]

/** A single one, for an address that opens it; null if it no longer exists. */
export const claimQuery = (id: string) =>
  queryOptions({
    queryKey: adminKeys.row('claims', id),
    enabled: id !== '',
    queryFn: async ({ signal }): Promise<AdminClaim | null> =>
      unwrap(
        await db
          .from('claim_requests')
          .select(columns)
          .eq('id', id)
          .abortSignal(signal)
          .maybeSingle(),
      ),
    ...alwaysFresh,
  })

type Decision = Exclude<ReviewStatus, 'pending'>

/**
 * Decides a claim with all its effects (ADMIN-CLAIM-06 to ADMIN-CLAIM-08); returns its id, or
 * nothing if it was no longer pending. Errors: business_has_owner, not_admin.
 */
export async function decideClaim(id: string, status: Decision, notes = ''): Promise<string[]> {
  const admin_notes = notes.trim()
  const rows = unwrap(
    await db
      .from('claim_requests')
      .update({ status, ...(admin_notes !== '' && { admin_notes }) })
      .eq('id', id)
      .eq('status', 'pending')
      .select('id'),
  )
  return rows.map((row) => row.id)
}

/** Like decideClaim. Error already_reviewed: it was no longer pending. */
export function useReviewClaim(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ status, notes }: { status: Decision; notes: string }) => {
      const decided = await decideClaim(id, status, notes)
      if (decided.length === 0)
        throw new AppError('already_reviewed', 'not pending', { status: 409 })
    },
    onSettled: () => client.invalidateQueries({ queryKey: adminKeys.all }),
  })
}

/** The documents that prove a claim (S-48). */
export const claimDocumentsQuery = (userId: string, claimId: string) =>
  queryOptions({
    queryKey: adminKeys.documents(claimId),
    queryFn: ({ signal }) => readDocuments(userId, claimId, signal),
    ...alwaysFresh,
  })

const linkSeconds = 60

/**
 * Returns a URL that opens a document for a minute. The storage API sends it with a content
 * security policy that runs no scripts.
 */
export async function documentUrl(key: string): Promise<string> {
  const { storage } = await loadSupabase()
  const { data, error } = await storage.from(documentBucket).createSignedUrl(key, linkSeconds)
  if (error) throw toAppError(error)
  return data.signedUrl
}
