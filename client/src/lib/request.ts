import { noteAnswer, watchRequest } from './connection'
import { unanswered } from './errors'

/** How long a request may take, in milliseconds; one that brings a file along as long as it needs. */
const deadlineMs = 30_000

/**
 * A fetch with a deadline, which every request of the client goes through. It never tries again.
 *
 * Errors: AppError offline, timeout, network; what `init.signal` aborts it with.
 */
export async function request(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const isUpload = typeof init.body === 'object' && init.body !== null
  const waiting = new AbortController()
  const signal = init.signal ? AbortSignal.any([waiting.signal, init.signal]) : waiting.signal
  const end = isUpload ? undefined : watchRequest(waiting)
  // Not cleared once the answer begins: its body is to come within this time, too.
  if (!isUpload) setTimeout(() => waiting.abort(), deadlineMs)
  try {
    const answer = await fetch(input, { ...init, signal })
    noteAnswer(answer.status < 502 || answer.status > 504)
    return answer
  } catch (error) {
    if (init.signal?.aborted) throw error
    // What took too long says nothing of the next request.
    if (signal.aborted) throw unanswered('timeout', error)
    noteAnswer(false)
    throw unanswered(navigator.onLine ? 'network' : 'offline', error)
  } finally {
    end?.()
  }
}
