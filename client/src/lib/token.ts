/** What this client reads from an access token. It is only shown by: the server checks it. */
export type TokenClaims = {
  sessionId: string | null
  /** How the session was shown to be its user's: `aal2` once a second factor was used. */
  aal: 'aal1' | 'aal2'
}

function payloadOf(accessToken: string): unknown {
  const payload = accessToken.split('.')[1]
  if (payload === undefined) return null
  try {
    return JSON.parse(atob(payload.replace(/-/g, '+').replace(/_/g, '/')))
  } catch {
    return null
  }
}

/** Reads an access token without checking it; what it does not say is the least. */
export function readClaims(accessToken: string): TokenClaims {
  const claims = payloadOf(accessToken)
  if (typeof claims !== 'object' || claims === null) return { sessionId: null, aal: 'aal1' }
  const id: unknown = Reflect.get(claims, 'session_id')
  return {
    sessionId: typeof id === 'string' ? id : null,
    aal: Reflect.get(claims, 'aal') === 'aal2' ? 'aal2' : 'aal1',
  }
}
