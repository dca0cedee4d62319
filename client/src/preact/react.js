/**
 * Replacement for `react` in builds and tests: Preact with its React compatibility layer
 * (docs/decisions/0040-preact.md). vite.config.ts aliases all imports of react to this file,
 * including those of libraries.
 */
import { options } from 'preact'

export * from 'preact/compat'
export { default } from 'preact/compat'

// React runs the effects of an event's changes before the next event, Preact after the next frame.
options.requestAnimationFrame = queueMicrotask

/**
 * React shows an optimistic value while a transition is still rendering. Preact renders a transition
 * at once, so there is never one. React Router imports this function by name.
 *
 * @template T
 * @param {T} value
 * @returns {[T, (ahead: T) => void]}
 */
export function useOptimistic(value) {
  return [value, ignore]
}

function ignore() {}
