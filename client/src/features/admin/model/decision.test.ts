import { expect, it } from 'vitest'
import { AppError } from '@/lib/errors'
import { countDone, runRows, settledIds } from './decision'

const always = { onProgress: () => undefined, isStopped: () => false }
const conflict = new AppError('business_has_owner', 'It has an owner', { status: 409 })

it('ADMIN-CLAIM-04: goes on after a row that a rule refuses, and has a result for each', async () => {
  const asked: string[][] = []
  const results = await runRows({
    ...always,
    ids: ['a', 'b', 'c'],
    batch: 1,
    act: async (ids) => {
      asked.push(ids)
      if (ids[0] === 'b') throw conflict
      return ids[0] === 'c' ? [] : ids
    },
  })
  expect(asked).toEqual([['a'], ['b'], ['c']])
  expect([...results.values()]).toEqual([
    { state: 'done' },
    { state: 'failed', error: conflict },
    { state: 'earlier' },
  ])
  expect(countDone(results)).toBe(1)
  expect(settledIds(results)).toEqual(['a', 'c'])
})

it('stops when the server cannot be reached, and leaves the rest', async () => {
  const lost = new AppError('offline', 'Failed to fetch: offline')
  const results = await runRows({
    ...always,
    ids: ['a', 'b', 'c'],
    batch: 2,
    act: () => Promise.reject(lost),
  })
  expect([...results.values()].map(({ state }) => state)).toEqual(['failed', 'failed', 'left'])
})

it('stops when it is told to, and reports progress', async () => {
  const seen: number[] = []
  const results = await runRows({
    ids: ['a', 'b', 'c', 'd', 'e'],
    batch: 2,
    act: async (ids) => ids,
    onProgress: (settled) => seen.push(settled),
    isStopped: () => seen.length === 2,
  })
  expect(seen).toEqual([2, 4])
  expect(results.get('e')).toEqual({ state: 'left' })
})
