import { toAppError } from './errors'

/**
 * Reports whether this page can use passkeys: the browser supports them, and the site has a host
 * name, not an IP address.
 */
export function canUsePasskeys(): boolean {
  return 'PublicKeyCredential' in window && /[a-z]$/i.test(window.location.hostname)
}

const dismissals: readonly unknown[] = ['NotAllowedError', 'AbortError']

function entry(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/** Reports whether the browser's passkey dialog was closed or timed out. */
export function isDismissed(thrown: unknown): boolean {
  const error = toAppError(thrown)
  return (
    error.code === 'ERROR_CEREMONY_ABORTED' ||
    dismissals.includes(entry(error.cause, 'name')) ||
    dismissals.includes(entry(entry(error.cause, 'cause'), 'name'))
  )
}
