import { describe, expect, it } from 'vitest'
import { type Migration, migrationBatch, noMigration, runMigration } from './url-migration'

const row = (n: number, error: string | null = null) => ({
  business_id: String(n).padStart(5, '0'),
  name: `Shop ${n}`,
  error,
})

/** A server with rows that are not migrated; every tenth cannot be. */
function server(count: number) {
  const left = new Set(Array.from({ length: count }, (_, n) => n))
  const calls: (string | null)[] = []
  return {
    calls,
    left,
    migrate: (after: string | null) => {
      calls.push(after)
      const batch = [...left].filter((n) => Number(after ?? -1) < n).slice(0, migrationBatch)
      for (const n of batch) if (n % 10 !== 0) left.delete(n)
      return Promise.resolve(batch.map((n) => row(n, n % 10 === 0 ? 'No place' : null)))
    },
  }
}

describe('runMigration', () => {
  it('goes on after rows that cannot be migrated, and ends', async () => {
    const { migrate, calls, left } = server(450)
    let state: Migration = noMigration
    const isDone = await runMigration({
      migrate,
      onProgress: (now) => {
        state = now
      },
      isStopped: () => false,
    })
    expect(isDone).toBe(true)
    expect(calls).toEqual([null, '00199', '00399'])
    expect(state).toMatchObject({ successful: 405, errors: 45 })
    expect(state.failures).toHaveLength(45)
    expect(left.size).toBe(45)
  })

  it('stops after the batch, and another run resumes', async () => {
    const { migrate, calls } = server(450)
    const seen: number[] = []
    const run = (most: number) =>
      runMigration({
        migrate,
        onProgress: ({ successful }) => seen.push(successful),
        isStopped: () => calls.length >= most,
      })
    expect(await run(1)).toBe(false)
    expect(await run(9)).toBe(true)
    expect(seen).toEqual([180, 162, 225])
  })
})
