/** Number of rows changed per request: few enough to finish well within the server's timeout. */
export const bulkSize = 100

/** The outcome of a bulk action. */
export type BulkOutcome = {
  /** The number of rows that the server changed. */
  done: number
  /** Ids of requests that got a response, whether they changed anything or not. */
  settled: string[]
  /** The error that stopped the action; ids that are not settled were not changed. */
  error: unknown
}

/** Processes ids in batches, and stops at the first failure. */
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
      // The first request failed: there is nothing to report but the failure.
      if (from === 0) throw error
      return { ...outcome, error }
    }
    outcome.settled.push(...some)
  }
  return outcome
}
