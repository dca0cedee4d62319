const { dataset } = document.documentElement

/** Parts of the first screen that wait for their turn, and parts below it. */
const near = new Set<() => void>()
const far = new Set<() => void>()
let isDrawingNear = false

/** Whether a phone draws the first screen of a visit: public/before-paint.js marks the page, `endFirstScreen` ends it. */
export function isFirstScreen(): boolean {
  return dataset.first !== undefined && window.matchMedia('(width < 40rem)').matches
}

/** Whether a part waits for its turn: one of the first screen until `drawNear` returns, one below it until `endFirstScreen`. */
export function hasTurns(isNear: boolean): boolean {
  return isNear ? isDrawingNear : isFirstScreen()
}

/** Calls `act` when its turn comes, at once where none will, and returns a function that cancels it. */
export function waitForTurn(act: () => void, isNear: boolean): () => void {
  if (!hasTurns(isNear)) {
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

/** Draws the next part below the first screen; returns false when there is none. */
export function takeFar(): boolean {
  return takeNext(far)
}

/** Ends the current task, so that the browser can answer what was pressed meanwhile. */
function nextTask(): Promise<unknown> {
  return 'scheduler' in window ? scheduler.yield() : new Promise((resolve) => setTimeout(resolve))
}

/**
 * Draws the first screen in several tasks: `start` draws its frame, in which parts wait for their turn.
 * A part may hold further ones.
 */
export async function drawNear(start: () => void): Promise<void> {
  isDrawingNear = true
  start()
  do await nextTask()
  while (takeNext(near))
  isDrawingNear = false
}

/** Nothing waits any more, and nothing will. */
export function endFirstScreen(): void {
  delete dataset.first
  while (takeFar());
}
