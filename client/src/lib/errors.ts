import type { PostgrestSingleResponse } from '@supabase/postgrest-js'

/** The source of a failure, which determines the message that users see. */
export type ErrorKind = 'network' | 'auth' | 'permission' | 'validation' | 'not-found' | 'server'

/**
 * Why a request has no response: the browser is offline, the server took too long, it could not be
 * reached, or a file of the client failed to load, as after an update.
 */
export type Unanswered = 'offline' | 'timeout' | 'network' | 'missing-code'

/**
 * The client's only error type. `code` is the server's: a SQLSTATE, a PGRST or an auth code; or an
 * Unanswered.
 */
export class AppError extends Error {
  readonly code: string
  readonly kind: ErrorKind
  readonly status: number

  constructor(code: string, message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.status = options.status ?? 0
    this.kind = kindOf(code, this.status)
  }
}

// A proxy returns 502 to 504 when the server is down or has no database.
function kindOf(code: string, status: number): ErrorKind {
  if (isUnanswered(code) || (status >= 502 && status <= 504)) return 'network'
  if (code === 'PGRST116' || status === 404) return 'not-found'
  if (code === '42501' || status === 403) return 'permission'
  if (status === 401 || code === 'PGRST301') return 'auth'
  if (/^(22|23|P0001)/.test(code) || status === 400 || status === 422) return 'validation'
  return 'server'
}

type Failure = {
  code?: unknown
  error_code?: unknown
  status?: unknown
  message?: unknown
  details?: unknown
}

// If a database rule refuses, its code is 'PT' and the HTTP status; its details name the rule.
function stableCode(code: string, details: unknown): string {
  return /^PT\d{3}$/.test(code) && typeof details === 'string' && details !== '' ? details : code
}

function isFailure(value: unknown): value is Failure {
  return typeof value === 'object' && value !== null
}

export function isUnanswered(code: string): code is Unanswered {
  return code === 'offline' || code === 'timeout' || code === 'network' || code === 'missing-code'
}

/** Browsers' and Vite's (for styles) messages when a file of the client failed to load. */
export const missingCodeText = /dynamically imported|module script|preload CSS/i

// Messages of our own requests and of browsers; supabase-js passes on only the message.
const unansweredText = /failed to fetch|networkerror|load failed|timed out/i

/**
 * Creates an error for a request without a response. Its message keeps the reason when it passes
 * through supabase-js.
 */
export function unanswered(reason: Unanswered, cause?: unknown): AppError {
  return new AppError(reason, `Failed to fetch: ${reason}`, { cause })
}

function reasonOf(message: string): Unanswered {
  if (/offline$/.test(message)) return 'offline'
  if (/timeout$|timed out/.test(message)) return 'timeout'
  if (/network$/.test(message)) return 'network'
  if (!navigator.onLine) return 'offline'
  return missingCodeText.test(message) ? 'missing-code' : 'network'
}

/** Converts anything thrown by supabase-js (or fetch) into an AppError. */
export function toAppError(error: unknown, status?: number): AppError {
  if (error instanceof AppError) return error
  if (!isFailure(error)) return new AppError('unknown', String(error))
  const message = typeof error.message === 'string' ? error.message : 'Unknown error'
  // A fetch that never reached the server has no code; its message depends on the browser.
  if (error instanceof TypeError || unansweredText.test(message) || missingCodeText.test(message)) {
    return unanswered(reasonOf(message), error)
  }
  const code = [error.code, error.error_code].find((c) => typeof c === 'string' && c !== '')
  const httpStatus = typeof error.status === 'number' ? error.status : status
  return new AppError(
    typeof code === 'string' ? stableCode(code, error.details) : 'unknown',
    message,
    {
      cause: error,
      ...(httpStatus === undefined ? {} : { status: httpStatus }),
    },
  )
}

/** Returns the data of a data API response; throws its error as an AppError. */
export function unwrap<T>(answer: PostgrestSingleResponse<T>): T {
  if (answer.error !== null) throw toAppError(answer.error, answer.status)
  return answer.data
}

/** Like unwrap, for reads with `count: 'exact'`: the rows and the total number of rows. */
export function unwrapCounted<T>(answer: PostgrestSingleResponse<T[]>): {
  rows: T[]
  total: number
} {
  const rows = unwrap(answer)
  return { rows, total: answer.count ?? rows.length }
}
