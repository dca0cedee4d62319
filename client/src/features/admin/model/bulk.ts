/** How many rows one request changes: few enough to be done well within the server's time limit. */
export const bulkSize = 100

/** How a run over many rows ended. */
export type BulkOutcome = {
  /** How many the server changed. */
  done: number
  /** Ids of the requests that were answered, whether they changed anything or not. */
  settled: string[]
  /** What stopped the run; the ids that are not settled were not touched. */
  error: unknown
}

/** Runs over ids some at a time, and stops at the first failure. */
export async function runBulk(
  ids: readonly string[],
  run: (ids: string[]) => Promise<number>,
): Promise<BulkOutcome> {
  const outcome: BulkOutcome = { done: 0, settled: [], error: null }
  for (let from = 0; from < ids.length; from += bulkSize) {
    const some = ids.slice(from, from + bulkSize)
    try {
      outcome.done += await run(some)
    } catch (error) {
      // The first request decided nothing: then there is nothing to report but the failure.
      if (from === 0) throw error
      return { ...outcome, error }
    }
    outcome.settled.push(...some)
  }
  return outcome
}
