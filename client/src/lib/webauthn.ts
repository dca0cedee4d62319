import { toAppError } from './errors'

/** Whether this page can use passkeys: the browser has them, and the site has a name, not a number. */
export function canUsePasskeys(): boolean {
  return 'PublicKeyCredential' in window && /[a-z]$/i.test(window.location.hostname)
}

const dismissals: readonly unknown[] = ['NotAllowedError', 'AbortError']

function entry(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/** Whether the browser's dialog for a passkey was closed, or nobody answered it. */
export function isDismissed(thrown: unknown): boolean {
  const error = toAppError(thrown)
  return (
    error.code === 'ERROR_CEREMONY_ABORTED' ||
    dismissals.includes(entry(error.cause, 'name')) ||
    dismissals.includes(entry(entry(error.cause, 'cause'), 'name'))
  )
}
