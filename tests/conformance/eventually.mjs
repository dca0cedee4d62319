// Waiting for what happens a moment after the response.

/** How long, in milliseconds, a test waits before it fails. A loaded machine needs more than a number of tries allows. */
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
