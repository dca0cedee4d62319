/**
 * The claims that this client reads from an access token. They only affect what is shown: the
 * server verifies the token.
 */
export type TokenClaims = {
  sessionId: string | null
  /** The assurance level of the session: `aal2` once a second factor was used. */
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

/** Decodes an access token without verifying it; missing claims get the lowest value. */
export function readClaims(accessToken: string): TokenClaims {
  const claims = payloadOf(accessToken)
  if (typeof claims !== 'object' || claims === null) return { sessionId: null, aal: 'aal1' }
  const id: unknown = Reflect.get(claims, 'session_id')
  return {
    sessionId: typeof id === 'string' ? id : null,
    aal: Reflect.get(claims, 'aal') === 'aal2' ? 'aal2' : 'aal1',
  }
}
