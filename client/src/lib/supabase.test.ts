import { expect, it, vi } from 'vitest'
import { db } from './supabase'

it('asks once: who retries a read is the query client', async () => {
  const asked = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'))
  const { error } = await db.from('businesses').select('id')
  expect(error).not.toBeNull()
  expect(asked).toHaveBeenCalledTimes(1)
})
