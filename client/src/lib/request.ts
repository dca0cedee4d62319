import { recordResponse, watchRequest } from './connection'
import { unanswered } from './errors'

/** Timeout of a request, in milliseconds; file uploads have none. */
const deadlineMs = 30_000

/**
 * A fetch with a timeout, used for every request of the client. It never retries. Errors: AppError
 * offline, timeout, network; the reason of `init.signal` if that aborts it.
 */
export async function request(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const isUpload = typeof init.body === 'object' && init.body !== null
  const waiting = new AbortController()
  const signal = init.signal ? AbortSignal.any([waiting.signal, init.signal]) : waiting.signal
  const end = isUpload ? undefined : watchRequest(waiting)
  // Not cleared when the response begins: its body must arrive within this time, too.
  if (!isUpload) setTimeout(() => waiting.abort(), deadlineMs)
  try {
    const answer = await fetch(input, { ...init, signal })
    recordResponse(answer.status < 502 || answer.status > 504)
    return answer
  } catch (error) {
    if (init.signal?.aborted) throw error
    // A request that timed out says nothing about the next one.
    if (signal.aborted) throw unanswered('timeout', error)
    recordResponse(false)
    throw unanswered(navigator.onLine ? 'network' : 'offline', error)
  } finally {
    end?.()
  }
}
