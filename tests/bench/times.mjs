const share = (times, part) => times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * part)].toFixed(1).padStart(8)

/** Milliseconds as text: median, 95th percentile and the longest. */
export const figures = (times) => `${share(times, 0.5)}${share(times, 0.95)}${share(times, 1)}`

/** How long a request takes until its body is there, in milliseconds, and the response. */
export async function timed(url, options) {
  const start = performance.now()
  const response = await fetch(url, options)
  const body = await response.text()
  if (!response.ok) throw new Error(`${url}: ${response.status} ${body.slice(0, 300)}`)
  return { time: performance.now() - start, response, body }
}
