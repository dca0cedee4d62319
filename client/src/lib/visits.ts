import { isbot } from 'isbot'
import { env } from './env'

/**
 * The actions counted for the owner of a business; the server counts each once per visitor and day.
 */
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

/** The server's maximum number of actions in one beacon. */
const maxPerBeacon = 100
const waitMs = 2_000

const isRobot = isbot(navigator.userAgent)
const told = new Set<string>()
const cameByPromotion = new Set<string>()
let waiting: Visit[] = []
let timer: number | undefined

/** Records an action of this visitor; it is sent with others, or when the page is left. */
export function recordVisit(kind: VisitKind, business: string): void {
  const promoted = cameByPromotion.has(business)
  const key = `${kind} ${business} ${promoted}`
  if (isRobot || told.has(key)) return
  told.add(key)
  waiting.push({ business, kind, ...(promoted && { promoted }) })
  timer ??= window.setTimeout(send, waitMs)
}

/**
 * Records that the visitor followed a promoted place: later actions at this business are attributed
 * to it.
 */
export function followPromotion(business: string): void {
  recordVisit('promoted_click', business)
  cameByPromotion.add(business)
}

function send() {
  window.clearTimeout(timer)
  timer = undefined
  while (waiting.length > 0) {
    const body = JSON.stringify({ events: waiting.slice(0, maxPerBeacon) })
    // Refused if too many beacons are in flight: it is sent with the next one.
    if (!navigator.sendBeacon(`${env.supabaseUrl}/api/visits`, body)) return
    waiting = waiting.slice(maxPerBeacon)
  }
}

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') send()
})
