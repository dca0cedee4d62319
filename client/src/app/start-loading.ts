import { hasFirstResponses } from '@/lib/first-responses'

/** How long a screen waits for data included in the page, in milliseconds. */
const moment = 50

/**
 * For a loader that has started a screen's requests. The loader does not wait for responses, except
 * for the moment it takes to read those included in the page, so that the screen renders only once.
 */
export async function startLoading(...started: Promise<unknown>[]): Promise<null> {
  if (hasFirstResponses()) {
    await Promise.race([
      Promise.all(started),
      new Promise((resolve) => setTimeout(resolve, moment)),
    ])
  }
  return null
}
