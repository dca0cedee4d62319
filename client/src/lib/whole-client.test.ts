import { beforeEach, expect, it, vi } from 'vitest'
import { toAppError } from './errors'
import { sessionKey } from './session-key'
import { accessToken } from './whole-client'

// The page contains the key.
vi.hoisted(() => {
  document.head.innerHTML = '<meta name="supabase-anon-key" content="key">'
})

const session = {
  access_token: 'old',
  refresh_token: 'renewable',
  token_type: 'bearer',
  expires_in: 3600,
  expires_at: 1,
  user: { id: 'u', aud: 'authenticated', app_metadata: {}, user_metadata: {}, created_at: '' },
}

beforeEach(() => localStorage.setItem(sessionKey, JSON.stringify(session)))

it('fails at once if a session could not be refreshed, and retries for the next caller', async () => {
  const asked = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'))
  const refused = () => accessToken().catch((error: unknown) => toAppError(error).code)
  // Concurrent callers share a request.
  expect(await Promise.all([refused(), refused()])).toEqual(['network', 'network'])
  expect(asked).toHaveBeenCalledTimes(1)
  asked.mockResolvedValueOnce(new Response('', { status: 503 }))
  expect(await refused()).toBe('network')
  expect(asked).toHaveBeenCalledTimes(2)
  const renewed = {
    ...session,
    access_token: 'new',
    expires_at: Math.floor(Date.now() / 1000) + 3600,
  }
  asked.mockImplementation(async () => Response.json(renewed))
  expect(await accessToken()).toBe('new')
  expect(asked).toHaveBeenCalledTimes(3)
})
