/** Replacement for `react-dom`; see react.js. */
import { options } from 'preact'
import { flushSync as drawSync } from 'preact/compat'

export * from 'preact/compat'
export { default } from 'preact/compat'

/**
 * Renders a change before it returns, and runs its effects, as React does; Preact's flushSync defers them.
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
