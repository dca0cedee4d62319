import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { callFunction } from '@/lib/call-function'
import { unwrap } from '@/lib/errors'
import { parseRole, type Role } from '@/lib/role'
import { db } from '@/lib/supabase'
import { type Amounts, amountsOf, type Intensity } from '../model/test-data'
import { adminKeys } from './keys'
import { alwaysFresh } from './list-options'

/** Whether the test tools are on, and how many rows are marked as test data. */
export const testToolsQuery = queryOptions({
  queryKey: adminKeys.testTools,
  queryFn: async ({ signal }) =>
    unwrap(await db.rpc('admin_test_tools', undefined, { get: true }).abortSignal(signal).single()),
  staleTime: 0,
})

/** A marked account. */
export type TestUser = {
  id: string
  name: string | null
  avatarUrl: string | null
  role: Role
  displayId: string
  email: string
  lastSignInAt: string | null
}

/** The test users by role, the first 200. */
export const testUsersQuery = queryOptions({
  queryKey: adminKeys.testUsers,
  queryFn: async ({ signal }): Promise<TestUser[]> => {
    const rows = unwrap(
      await db.rpc('admin_test_users', undefined, { get: true }).abortSignal(signal),
    )
    return rows.map((row) => ({
      id: row.id,
      name: row.full_name,
      avatarUrl: row.avatar_url,
      role: parseRole(row.role),
      displayId: row.display_id,
      email: row.email,
      lastSignInAt: row.last_sign_in_at,
    }))
  },
  ...alwaysFresh,
})

type Made = { what: string; made: number }
type Removed = { what: string; removed: number }

const newAmounts = (rows: Made[]) =>
  amountsOf(rows.map(({ what, made }) => ({ what, amount: made })))
const removedAmounts = (rows: Removed[]) =>
  amountsOf(rows.map(({ what, removed }) => ({ what, amount: removed })))

/** Makes test data; returns what is new (ADMIN-TEST-02). Errors: not_admin, test_tools_off. */
export async function seedTestData(intensity: Intensity) {
  return newAmounts(unwrap(await db.rpc('admin_seed_test_data', { p_intensity: intensity })))
}

/** Removes what is marked (ADMIN-TEST-03). Errors: not_admin, test_tools_off. */
export async function clearTestData(withProfiles: boolean) {
  const rows = unwrap(await db.rpc('admin_clear_test_data', { p_with_profiles: withProfiles }))
  return removedAmounts(rows)
}

/**
 * Removes everything (ADMIN-TEST-04), a bounded number of rows at a time; reports how many are
 * left. Errors: not_admin, test_tools_off, wrong_phrase.
 */
export async function clearAllData({ phrase, onRest }: ClearAll): Promise<Partial<Amounts>> {
  const total = new Map<string, number>()
  for (;;) {
    const rows = unwrap(await db.rpc('admin_clear_all_data', { p_phrase: phrase }))
    for (const { what, removed } of rows) total.set(what, (total.get(what) ?? 0) + removed)
    const rest = rows.find(({ what }) => what === 'remaining')?.removed ?? 0
    if (rest === 0) return amountsOf([...total].map(([what, amount]) => ({ what, amount })))
    onRest(rest)
  }
}

type ClearAll = { phrase: string; onRest: (rows: number) => void }

/**
 * Makes sample reports (ADMIN-REPORT-06). Errors: not_admin, test_tools_off, sample_exists, no_users,
 * no_businesses.
 */
export async function createSampleReports(isComplete: boolean) {
  const rows = unwrap(await db.rpc('admin_create_sample_reports', { p_complete: isComplete }))
  return newAmounts(rows)
}

/** Makes a test user for each role. Errors: not_admin, test_tools_off. */
export async function createTestUsers(): Promise<void> {
  unwrap(await db.rpc('admin_create_test_users'))
}

/** Makes the test scenario. Errors: not_admin, test_tools_off. */
export async function createTestScenario(): Promise<void> {
  unwrap(await db.rpc('admin_create_test_scenario'))
}

/**
 * Returns a token that signs in as a test user, once (S-55). Errors: not_admin, test_tools_off,
 * not_a_test_user.
 */
export async function requestTestLogin(userId: string): Promise<string> {
  const { token_hash } = await callFunction<{ token_hash: string }>('log-in-as-test-user', {
    user: userId,
  })
  return token_hash
}

/** A mutation after which everything that is shown is read again: it changes rows of many kinds. */
export function useTestTool<Input, Output>(run: (input: Input) => Promise<Output>) {
  const client = useQueryClient()
  return useMutation({ mutationFn: run, onSettled: () => client.invalidateQueries() })
}
