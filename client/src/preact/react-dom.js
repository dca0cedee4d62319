/** What `react-dom` stands for; see react.ts. */
import { options } from 'preact'
import { flushSync as drawSync } from 'preact/compat'

export * from 'preact/compat'
export { default } from 'preact/compat'

/**
 * Draws a change before it returns, and runs its effects, as React's does; Preact's leaves them for later.
 *
 * @template T
 * @param {() => T} change
 * @returns {T}
 */
export function flushSync(change) {
  const { requestAnimationFrame } = options
  /** @type {(() => void) | undefined} */
  let runEffects
  options.requestAnimationFrame = (run) => {
    runEffects = run
  }
  try {
    const result = drawSync(change)
    runEffects?.()
    return result
  } finally {
    options.requestAnimationFrame = requestAnimationFrame
  }
}
