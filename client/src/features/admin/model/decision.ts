import { toAppError } from '@/lib/errors'
import { isAccessLost } from './refusal'

/** What an action did to a row. */
export type RowResult =
  | { state: 'done' }
  /** Somebody else had decided or deleted it; nothing was changed. */
  | { state: 'earlier' }
  | { state: 'failed'; error: unknown }
  /** Not tried: the run was stopped, or ended by an error that the other rows would also get. */
  | { state: 'left' }

export type Results = ReadonlyMap<string, RowResult>

/** Changes rows; returns the ids of those that were changed, or the result of each. */
export type RowsAct = (ids: string[]) => Promise<readonly string[] | Results>

type Run = {
  ids: readonly string[]
  /** The number of rows per request. */
  batch: number
  act: RowsAct
  /** Called after each request with the number of rows that have a result. */
  onProgress: (settled: number) => void
  /** Called before each request; true ends the run. */
  isStopped: () => boolean
}

/**
 * Changes rows, some at a time, and returns the result of each. A rule that refuses one row (HTTP
 * status 409) does not stop the others.
 */
export async function runRows({ ids, batch, act, onProgress, isStopped }: Run): Promise<Results> {
  const results = new Map<string, RowResult>(ids.map((id) => [id, { state: 'left' }]))
  for (let from = 0; from < ids.length && !isStopped(); from += batch) {
    const some = ids.slice(from, from + batch)
    try {
      const answer = await act(some)
      for (const id of some) results.set(id, resultOf(id, answer))
    } catch (error) {
      for (const id of some) results.set(id, { state: 'failed', error })
      if (isAccessLost(error) || toAppError(error).status !== 409) return results
    }
    onProgress(from + some.length)
  }
  return results
}

function resultOf(id: string, answer: readonly string[] | Results): RowResult {
  if ('get' in answer) return answer.get(id) ?? { state: 'earlier' }
  return { state: answer.includes(id) ? 'done' : 'earlier' }
}

export function countDone(results: Results): number {
  return [...results.values()].filter(({ state }) => state === 'done').length
}

/** The ids that have a final result: all but those that can be tried again. */
export function settledIds(results: Results): string[] {
  return [...results]
    .filter(([, { state }]) => state === 'done' || state === 'earlier')
    .map(([id]) => id)
}
