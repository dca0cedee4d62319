import type { PostgrestSingleResponse } from '@supabase/postgrest-js'

/** Where a failure comes from, which decides what a person is told. */
export type ErrorKind = 'network' | 'auth' | 'permission' | 'validation' | 'not-found' | 'server'

/**
 * Why a request has no answer: the browser is offline, the server took too long, it could not be
 * reached, or a file of the client did not come, as after an update.
 */
export type Unanswered = 'offline' | 'timeout' | 'network' | 'missing-code'

/** The one error type of the client. `code` is the server's: a SQLSTATE, a PGRST or an auth code; or an Unanswered. */
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

// 502 to 504 is what stands in place of a server that is down, or has no database.
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

// A rule of the database that refuses has 'PT' and the HTTP status for its code; which rule, its details say.
function stableCode(code: string, details: unknown): string {
  return /^PT\d{3}$/.test(code) && typeof details === 'string' && details !== '' ? details : code
}

function isFailure(value: unknown): value is Failure {
  return typeof value === 'object' && value !== null
}

export function isUnanswered(code: string): code is Unanswered {
  return code === 'offline' || code === 'timeout' || code === 'network' || code === 'missing-code'
}

/** How browsers, and Vite for styles, word that a file of the client did not come. */
export const missingCodeText = /dynamically imported|module script|preload CSS/i

// What our own requests throw, and what browsers say; supabase-js hands on the message alone.
const unansweredText = /failed to fetch|networkerror|load failed|timed out/i

/** An error for a request without an answer. Its message keeps the reason on the way through supabase-js. */
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

/** Turns whatever supabase-js (or fetch) produced into an AppError. */
export function toAppError(error: unknown, status?: number): AppError {
  if (error instanceof AppError) return error
  if (!isFailure(error)) return new AppError('unknown', String(error))
  const message = typeof error.message === 'string' ? error.message : 'Unknown error'
  // A fetch that never reached the server has no code; browsers word it differently.
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

/** The data of an answer of the data API; throws its error as an AppError. */
export function unwrap<T>(answer: PostgrestSingleResponse<T>): T {
  if (answer.error !== null) throw toAppError(answer.error, answer.status)
  return answer.data
}

/** As unwrap, for reads with `count: 'exact'`: the rows and how many there are in all. */
export function unwrapCounted<T>(answer: PostgrestSingleResponse<T[]>): {
  rows: T[]
  total: number
} {
  const rows = unwrap(answer)
  return { rows, total: answer.count ?? rows.length }
}
