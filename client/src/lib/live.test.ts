import { expect, it } from 'vitest'
import { oneAtATime } from './live'

it('runs once more for all calls during a run', async () => {
  const ends: (() => void)[] = []
  const call = oneAtATime(() => new Promise<void>((resolve) => ends.push(resolve)))
  const settle = () => new Promise((resolve) => setTimeout(resolve))
  call()
  call()
  call()
  expect(ends).toHaveLength(1)
  ends[0]?.()
  await settle()
  expect(ends).toHaveLength(2)
  ends[1]?.()
  await settle()
  expect(ends).toHaveLength(2)
  call()
  expect(ends).toHaveLength(3)
})

it('runs again after a failure', async () => {
  let runs = 0
  const call = oneAtATime(async () => {
    runs += 1
    throw new Error('no')
  })
  call()
  call()
  await new Promise((resolve) => setTimeout(resolve))
  expect(runs).toBe(2)
})
