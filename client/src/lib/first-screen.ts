const { dataset } = document.documentElement

/** Parts of the first screen that wait for their turn, and parts below it. */
const near = new Set<() => void>()
const far = new Set<() => void>()
let isDrawingNear = false

/**
 * Reports whether this is the first screen of a visit on a phone: public/before-paint.js marks the
 * page, `leaveFirstScreen` removes the mark.
 */
export function isFirstScreen(): boolean {
  return dataset.first !== undefined && window.matchMedia('(width < 40rem)').matches
}

/**
 * Reports whether a part waits for its turn: a part of the first screen until `renderFirstScreen` returns, a
 * part below it until `leaveFirstScreen`.
 */
export function isDeferred(isNear: boolean): boolean {
  return isNear ? isDrawingNear : isFirstScreen()
}

/**
 * Calls `act` when its turn comes, or at once if nothing waits, and returns a function that cancels
 * it.
 */
export function defer(act: () => void, isNear: boolean): () => void {
  if (!isDeferred(isNear)) {
    act()
    return () => undefined
  }
  const queue = isNear ? near : far
  queue.add(act)
  return () => queue.delete(act)
}

function takeNext(queue: Set<() => void>): boolean {
  const [act] = queue
  if (!act) return false
  queue.delete(act)
  act()
  return true
}

/** Renders the next part below the first screen; returns false if there is none. */
export function renderNextBelow(): boolean {
  return takeNext(far)
}

/** Ends the current task, so that the browser can handle input in between. */
function nextTask(): Promise<unknown> {
  return 'scheduler' in window ? scheduler.yield() : new Promise((resolve) => setTimeout(resolve))
}

/**
 * Renders the first screen in several tasks: `start` renders its frame, in which parts wait for
 * their turn. A part may contain further ones.
 */
export async function renderFirstScreen(start: () => void): Promise<void> {
  isDrawingNear = true
  start()
  do await nextTask()
  while (takeNext(near))
  isDrawingNear = false
}

/** Renders new parts at once from now on. Those that wait keep their turn. */
export function leaveFirstScreen(): void {
  delete dataset.first
}

/** Renders all waiting parts; from now on none waits. */
export function endFirstScreen(): void {
  leaveFirstScreen()
  while (renderNextBelow());
}
