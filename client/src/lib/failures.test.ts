import { afterEach, expect, test } from 'vitest'
import { AppError } from './errors'
import { clearFailures, readFailures, recordFailure, watchFailures } from './failures'

afterEach(clearFailures)

test('CONST-06: the latest hundred failures are kept, the newest first', () => {
  for (let number = 1; number <= 130; number++) {
    recordFailure(new AppError('23505', `failure ${number}`, { status: 409 }))
  }
  const kept = readFailures()
  expect(kept).toHaveLength(100)
  expect(kept[0]).toMatchObject({ kind: 'validation', code: '23505', message: 'failure 130' })
  expect(kept.at(-1)).toMatchObject({ message: 'failure 31' })
  expect(new Set(kept.map(({ id }) => id)).size).toBe(100)
})

test('nothing that looks like a token is kept', () => {
  const jwt = `${'eyJhbGciOiJIUzI1NiJ9'}.${'eyJzdWIiOiIxMjM0NTY3ODkwIn0'}.${'dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P'}`
  recordFailure(new Error(`refused: ${jwt}`))
  expect(readFailures()[0]?.message).toBe('refused: …')
})

test('failures that nobody handles are kept, too', () => {
  watchFailures()
  window.dispatchEvent(new ErrorEvent('error', { error: new Error('thrown') }))
  expect(readFailures()[0]?.message).toBe('thrown')
})
