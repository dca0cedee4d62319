import { isbot } from 'isbot'
import { env } from './env'

/** What is counted for the owner of a business; the server counts each once for a visitor and day. */
export type VisitKind =
  | 'page_view'
  | 'search_view'
  | 'photo_view'
  | 'call'
  | 'directions'
  | 'website'
  | 'booking'
  | 'message'
  | 'promoted_view'
  | 'promoted_click'

type Visit = { business: string; kind: VisitKind; promoted?: true }

/** As many as the server takes in one beacon. */
const mostAtOnce = 100
const waitMs = 2_000

const isRobot = isbot(navigator.userAgent)
const told = new Set<string>()
const cameByPromotion = new Set<string>()
let waiting: Visit[] = []
let timer: number | undefined

/** Says that this visitor did something; it leaves with others, or when the page does. */
export function tellVisit(kind: VisitKind, business: string): void {
  const promoted = cameByPromotion.has(business)
  const key = `${kind} ${business} ${promoted}`
  if (isRobot || told.has(key)) return
  told.add(key)
  waiting.push({ business, kind, ...(promoted && { promoted }) })
  timer ??= window.setTimeout(send, waitMs)
}

/** The visitor followed a promoted place: what they do at the business from now on came by it. */
export function followPromotion(business: string): void {
  tellVisit('promoted_click', business)
  cameByPromotion.add(business)
}

function send() {
  window.clearTimeout(timer)
  timer = undefined
  while (waiting.length > 0) {
    const body = JSON.stringify({ events: waiting.slice(0, mostAtOnce) })
    // Refused when too much is on its way already: it goes with the next.
    if (!navigator.sendBeacon(`${env.supabaseUrl}/api/visits`, body)) return
    waiting = waiting.slice(mostAtOnce)
  }
}

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') send()
})
