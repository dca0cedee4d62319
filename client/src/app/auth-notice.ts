/** What a screen that sends somebody to /auth wants said there. */
export type AuthNotice = { title: string; text: string }

/** State of the history entry of /auth: it outlives a reload and stays out of the address. */
export type AuthState = {
  notice?: AuthNotice
  email?: string
  /** The number a code was sent to. */
  phone?: string
  /** Signing in was tried before the address was confirmed. */
  isUnconfirmed: boolean
}

function textOf(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const found: unknown = Reflect.get(value, name)
  return typeof found === 'string' && found !== '' ? found : undefined
}

/** Reads the state of a history entry, which may be anything. */
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
