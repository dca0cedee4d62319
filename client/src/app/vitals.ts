import { isbot } from 'isbot'
import { type Metric, onCLS, onINP, onLCP } from 'web-vitals'
import { env } from '@/lib/env'

/** What a page view measured: milliseconds, but for `cls`, which has no unit. */
type Vitals = { path: string; lcp?: number; fid?: number; inp?: number; cls?: number }

let isStarted = false

/**
 * Measures the page that was opened, and sends the figures when it is left (UI-08 to UI-10). They
 * are counted by route, without anything about the visitor (functions/vitals).
 */
export function sendVitals(): void {
  if (isStarted || isbot(navigator.userAgent)) return
  isStarted = true
  const vitals: Vitals = { path: window.location.pathname }
  const keep = ({ name, value }: Metric) => {
    if (name === 'LCP') vitals.lcp = value
    if (name === 'INP') vitals.inp = value
    if (name === 'CLS') vitals.cls = value
  }
  onLCP(keep)
  onINP(keep, { reportAllChanges: true })
  onCLS(keep, { reportAllChanges: true })
  watchFirstInput((ms) => {
    vitals.fid = ms
  })
  const send = () => {
    if (document.visibilityState !== 'hidden') return
    document.removeEventListener('visibilitychange', send)
    // After web-vitals, which reports its last values on the same event.
    queueMicrotask(() =>
      navigator.sendBeacon(`${env.supabaseUrl}/api/vitals`, JSON.stringify(vitals)),
    )
  }
  document.addEventListener('visibilitychange', send)
}

/** Measures first input delay, which UI-09 has thresholds for and web-vitals no longer measures. */
function watchFirstInput(keep: (ms: number) => void): void {
  if (!PerformanceObserver.supportedEntryTypes.includes('first-input')) return
  new PerformanceObserver((list, observer) => {
    const [first] = list.getEntries()
    if (!(first instanceof PerformanceEventTiming)) return
    keep(first.processingStart - first.startTime)
    observer.disconnect()
  }).observe({ type: 'first-input', buffered: true })
}
