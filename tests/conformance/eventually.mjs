// Waits for effects that occur shortly after the response.

/**
 * How long a test waits before it fails, in milliseconds. On a loaded machine a fixed number of
 * attempts is too short.
 */
const limit = 20_000

/** Calls look until it returns something truthy, and returns that. Throws after 20 s. */
export async function eventually(expected, look) {
  for (const end = performance.now() + limit; performance.now() < end; ) {
    const found = await look()
    if (found) return found
    await new Promise((resolve) => setImmediate(resolve))
  }
  throw new Error(`${expected}: not within ${limit / 1000} s`)
}
