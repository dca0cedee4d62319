import { describe, expect, it } from 'vitest'
import { AppError } from '@/lib/errors'
import { removeRow, saveIfUnchanged } from '@/lib/rows'
import { type BulkOutcome, bulkSize, runBulk } from './bulk'
import { isAccessLost, refusalText } from './refusal'
import { deleteReport, roleReport } from './report'
import { roleLabel, type User, userOrder } from './user'

const offline = new AppError('network', 'Failed to fetch')
const ids = Array.from({ length: 250 }, (_, index) => `id-${index}`)
const users = (count: number): User[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `id-${index}`,
    name: index === 0 ? 'Ana' : null,
    avatarUrl: null,
    role: 'user',
    displayId: 'U-000001',
    createdAt: '2026-11-22T00:00:00Z',
  }))
const ended = (done: number, settled: number, error: unknown = null): BulkOutcome => ({
  done,
  settled: ids.slice(0, settled),
  error,
})

describe('ADMIN-USERS-11, ADMIN-USERS-12: a run over many', () => {
  it('processes batches and counts the changes', async () => {
    const sizes: number[] = []
    const outcome = await runBulk(ids, async (some) => sizes.push(some.length) && some.length - 1)
    expect(sizes).toEqual([bulkSize, bulkSize, 50])
    expect(outcome).toEqual({ done: 247, settled: ids, error: null })
  })
  it('stops at a failure and reports what was settled', async () => {
    const outcome = await runBulk(ids, async (some) => {
      if (some.includes('id-100')) throw offline
      return some.length
    })
    expect(outcome).toEqual({ done: 100, settled: ids.slice(0, 100), error: offline })
  })
  it('fails as a whole when nothing was settled', async () => {
    await expect(runBulk(ids, () => Promise.reject(offline))).rejects.toBe(offline)
  })
})

describe('ERR-58, ERR-59: the report of a bulk action', () => {
  it('one user', () => {
    expect(roleReport(users(1), ended(1, 1), 'owner')).toEqual({
      isFull: true,
      title: 'Role updated',
      text: 'Ana is now: Seller',
    })
    expect(deleteReport(users(1), ended(1, 1)).title).toBe('User deleted')
  })
  it('several', () => {
    expect(roleReport(users(3), ended(3, 3), 'user').title).toBe('User roles updated')
    expect(deleteReport(users(3), ended(3, 3))).toEqual({
      isFull: true,
      title: 'Users deleted',
      text: '3 users can no longer sign in.',
    })
  })
  it('some were not there any more', () => {
    expect(deleteReport(users(3), ended(2, 3))).toEqual({
      isFull: false,
      title: '2 of 3 done',
      text: '1 had been deleted already.',
    })
    expect(roleReport(users(3), ended(1, 3), 'admin').text).toMatch(/^2 had this role already/)
  })
  it('it stopped half way', () => {
    const { isFull, title, text } = deleteReport(users(250), ended(100, 100, offline))
    expect([isFull, title]).toEqual([false, '100 of 250 done'])
    expect(text).toBe(
      'Plaza cannot be reached at the moment. Please try again. The other 150 are still selected.',
    )
  })
})

describe('S-51: why something was refused, in safe words', () => {
  it.each([
    ['not_admin', 403, 'Access denied: User does not have admin privileges'],
    ['42501', 403, 'Access denied: User does not have admin privileges'],
    ['last_admin', 409, 'The last admin must stay.'],
    ['57014', 500, 'It took too long, so nothing was changed. Try fewer at a time.'],
    // An ended session: the guard then redirects to sign-in.
    ['PGRST301', 401, 'Please sign in again to continue.'],
    ['XX000', 500, 'Something went wrong on our side. Please try again.'],
  ])('%s', (code, status, text) =>
    expect(refusalText(new AppError(code, 'raw words', { status }))).toBe(text),
  )
  it('knows who has lost access', () => {
    expect(isAccessLost(new AppError('not_admin', ''))).toBe(true)
    expect(isAccessLost(offline)).toBe(false)
  })
})

describe('two admins at once', () => {
  const steps = (changed: number, now: string | null) => ({
    write: async () => Array.from({ length: changed }),
    read: async () => now,
    isAsBefore: (stored: string) => stored === 'before',
  })
  it('saves over what was read', async () => {
    expect(await saveIfUnchanged(steps(1, 'new'))).toEqual({ state: 'saved' })
  })
  it('does not overwrite a row that was changed or deleted', async () => {
    expect(await saveIfUnchanged(steps(0, 'theirs'))).toEqual({ state: 'changed', now: 'theirs' })
    expect(await saveIfUnchanged(steps(0, null))).toEqual({ state: 'gone' })
  })
  it('distinguishes a hidden row from a deleted one', async () => {
    await expect(saveIfUnchanged(steps(0, 'before'))).rejects.toMatchObject({ code: '42501' })
    const removal = (count: number, left: string | null) =>
      removeRow({ remove: async () => Array.from({ length: count }), read: async () => left })
    expect(await removal(1, null)).toBe(true)
    expect(await removal(0, null)).toBe(false)
    await expect(removal(0, 'there')).rejects.toMatchObject({ code: '42501' })
  })
})

it('ADMIN-USERS-09, PERM-02: role labels', () => {
  expect((['admin', 'owner', 'user'] as const).map(roleLabel)).toEqual(['Admin', 'Seller', 'Buyer'])
})

it('ADMIN-USERS-08: the order of users as the database calls it', () => {
  const orders = ['name', 'created_at'].flatMap((key) =>
    [false, true].map((descending) => userOrder({ key, descending })),
  )
  expect(orders).toEqual(['name', 'name_desc', 'oldest', 'newest'])
})
