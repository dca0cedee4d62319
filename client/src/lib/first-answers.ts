/**
 * Answers of the data API that came with the page, as a visitor gets them (server/site): what its
 * first screen asks for is there without a trip. Each is used once, and only at the beginning.
 */
type Answer = { path: string; prefer?: string; status: number; range?: string; body: unknown }

/** How long after the page began its answers count as fresh, in milliseconds. */
const lifetime = 20_000

/** One form of a request, however its parameters are written. */
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

/** Whether there is anything to wait for that takes no time. */
export function hasFirstAnswers(): boolean {
  return answers.size > 0 && performance.now() < lifetime
}

/** The answer that came for a request; null where it is to be asked. */
export function takeFirstAnswer(address: string, init: RequestInit): Response | null {
  if (!hasFirstAnswers() || (init.method ?? 'GET') !== 'GET') return null
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
