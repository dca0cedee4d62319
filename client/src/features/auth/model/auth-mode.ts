/** The forms of /auth; stored in the URL as `mode`, so that Back and reload work. */
export const authModes = [
  'sign-in',
  'register',
  'forgot',
  'confirm',
  'reset',
  'phone',
  'phone-code',
] as const
type AuthMode = (typeof authModes)[number]

export type AuthAddress = { mode: AuthMode; role: 'user' | 'owner' }

/** Reads the URL; an unknown mode means sign-in. `role` is only an intent (C-01, S-01). */
export function readAuthAddress(params: URLSearchParams): AuthAddress {
  const mode = authModes.find((known) => known === params.get('mode')) ?? 'sign-in'
  return { mode, role: params.get('role') === 'owner' ? 'owner' : 'user' }
}

/** Returns the query string of a URL of /auth. */
export function authSearch({ mode, role }: AuthAddress): string {
  const params = new URLSearchParams()
  if (mode !== 'sign-in') params.set('mode', mode)
  if (role === 'owner') params.set('role', role)
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}
