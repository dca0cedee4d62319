/**
 * Data API responses that are included in the page, as a visitor would get them (server/site), so
 * that the first screen's data needs no round trip. Each is used once, and only shortly after the
 * page was loaded.
 */
type Answer = { path: string; prefer?: string; status: number; range?: string; body: unknown }

/** How long the included responses count as fresh, in milliseconds. */
const lifetime = 20_000

/** A normalized key of a request, independent of how its parameters are written. */
function nameOf(address: URL, prefer: string): string {
  address.searchParams.sort()
  return `${address.pathname}?${address.searchParams} ${prefer}`
}

function read(): Map<string, Answer> {
  const found = new Map<string, Answer>()
  const element = document.getElementById('first-answers')
  if (!element?.textContent) return found
  const answers: Answer[] = JSON.parse(element.textContent)
  for (const answer of answers) {
    found.set(nameOf(new URL(answer.path, window.location.origin), answer.prefer ?? ''), answer)
  }
  return found
}

const answers = read()

/** Reports whether responses are included that need no waiting. */
export function hasFirstResponses(): boolean {
  return answers.size > 0 && performance.now() < lifetime
}

/** Returns the included response to a request; null if it must be sent. */
export function takeFirstResponse(address: string, init: RequestInit): Response | null {
  if (!hasFirstResponses() || (init.method ?? 'GET') !== 'GET') return null
  const name = nameOf(new URL(address), new Headers(init.headers).get('prefer') ?? '')
  const answer = answers.get(name)
  if (!answer) return null
  answers.delete(name)
  return new Response(JSON.stringify(answer.body), {
    status: answer.status,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      ...(answer.range !== undefined && { 'Content-Range': answer.range }),
    },
  })
}
