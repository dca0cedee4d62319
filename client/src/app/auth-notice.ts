/** A notice that a screen wants to show on /auth when it redirects there. */
export type AuthNotice = { title: string; text: string }

/** The state of /auth's history entry: it survives a reload and is not part of the URL. */
export type AuthState = {
  notice?: AuthNotice
  email?: string
  /** The number that a code was sent to. */
  phone?: string
  /** The user tried to sign in before confirming the address. */
  isUnconfirmed: boolean
}

function textOf(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const found: unknown = Reflect.get(value, name)
  return typeof found === 'string' && found !== '' ? found : undefined
}

/** Parses the state of a history entry, which may be anything. */
export function readAuthState(state: unknown): AuthState {
  if (typeof state !== 'object' || state === null) return { isUnconfirmed: false }
  const email = textOf(state, 'email')
  const phone = textOf(state, 'phone')
  const notice: unknown = Reflect.get(state, 'notice')
  const title = textOf(notice, 'title')
  const text = textOf(notice, 'text')
  return {
    isUnconfirmed: Reflect.get(state, 'isUnconfirmed') === true,
    ...(email !== undefined && { email }),
    ...(phone !== undefined && { phone }),
    ...(title !== undefined && text !== undefined && { notice: { title, text } }),
  }
}
