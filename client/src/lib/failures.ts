import { toAppError } from './errors'

/** A failure of this page view, for the debug console. It stays in this tab's memory. */
export type Failure = {
  id: string
  at: string
  /** The page on which it happened, without its query. */
  page: string
  kind: string
  code: string
  message: string
}

/** Maximum number of failures that are kept; the oldest are dropped (CONST-06). */
const maxFailures = 100

let queue: readonly Failure[] = []
let count = 0

// No message is known to contain a token; anything that looks like one is replaced.
const token = /\b[\w-]{16,}\.[\w-]{16,}\.[\w-]{16,}\b/g

/** Records a failure. */
export function recordFailure(error: unknown): void {
  const { code, kind, message } = toAppError(error)
  count += 1
  queue = [
    ...queue.slice(1 - maxFailures),
    {
      id: String(count),
      at: new Date().toISOString(),
      page: window.location.pathname,
      kind,
      code,
      message: message.replace(token, '…').slice(0, 500),
    },
  ]
}

/** Returns the newest failures, the latest first. */
export function readFailures(): Failure[] {
  return queue.toReversed()
}

export function clearFailures(): void {
  queue = []
}

/** Records failures that nobody handles, too. */
export function watchFailures(): void {
  window.addEventListener('error', ({ error }) => recordFailure(error))
  window.addEventListener('unhandledrejection', ({ reason }) => recordFailure(reason))
}
