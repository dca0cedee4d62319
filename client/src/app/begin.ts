import { hasFirstAnswers } from '@/lib/first-answers'

/** How long a screen waits for what came with the page, in milliseconds. */
const moment = 50

/**
 * For a loader that has started a screen's requests. They do not hold the screen up, but where
 * answers came with the page it waits the moment that reading them takes, and is drawn once.
 */
export async function begin(...started: Promise<unknown>[]): Promise<null> {
  if (hasFirstAnswers()) {
    await Promise.race([
      Promise.all(started),
      new Promise((resolve) => setTimeout(resolve, moment)),
    ])
  }
  return null
}
