/**
 * What `react` stands for in builds and tests: Preact with its layer for React's names
 * (docs/decisions/0040-preact.md). vite.config.ts leads all imports of it here, those of libraries too.
 */
import { options } from 'preact'

export * from 'preact/compat'
export { default } from 'preact/compat'

// React runs the effects of what an event has changed before the next event, Preact after the next frame.
options.requestAnimationFrame = queueMicrotask

/**
 * React shows a value ahead of a transition that is still being drawn. Preact draws a transition at
 * once, so nothing is ever ahead of it. React Router imports this by its name.
 *
 * @template T
 * @param {T} value
 * @returns {[T, (ahead: T) => void]}
 */
export function useOptimistic(value) {
  return [value, ignore]
}

function ignore() {}
