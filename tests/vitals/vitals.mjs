// Measures the performance of a first visit: each page several times in a new browser, on a slow
// phone (a quarter of this machine's speed, 1.6 Mbit/s down, 150 ms per request, as in Lighthouse's
// slow 4G). Prints medians. Run it on an otherwise idle machine: `make vitals`, or with
// SUPABASE_URL and CHROMIUM set, `node vitals/vitals.mjs [PATH…]`.
import { chromium } from '@playwright/test'

const site = process.env.SUPABASE_URL ?? 'http://127.0.0.1:54321'
const runs = Number(process.env.VITALS_RUNS ?? 5)
const network = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }
const cpuRate = Number(process.env.VITALS_CPU ?? 4)

async function somePaths() {
  const answer = await fetch(`${site}/rest/v1/businesses?select=id&source=eq.seeded&owner_id=not.is.null&order=id&limit=1`, {
    headers: { apikey: process.env.SUPABASE_ANON_KEY ?? '' },
  })
  const [business] = await answer.json()
  return ['/', '/search', '/search/barcelona', '/c/barcelona', '/category/restaurants', `/business/${business.id}`]
}

// Runs in the page: records the browser's paint, layout shift and long task entries.
function watch() {
  const seen = { lcp: 0, element: '', cls: 0, fcp: 0, tasks: [] }
  window.__vitals = seen
  const on = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
  on('largest-contentful-paint', (entry) => {
    seen.lcp = entry.startTime
    seen.element = entry.element ? `${entry.element.tagName.toLowerCase()} ${(entry.element.textContent ?? '').slice(0, 24)}` : ''
  })
  on('paint', (entry) => { if (entry.name === 'first-contentful-paint') seen.fcp = entry.startTime })
  on('layout-shift', (entry) => { if (!entry.hadRecentInput) seen.cls += entry.value })
  // Total blocking time: the time of long tasks beyond 50 ms, from the first contentful paint on.
  on('longtask', ({ startTime, duration }) => seen.tasks.push({ startTime, duration }))
}

function blockingTime({ fcp, tasks }) {
  const after = tasks.filter(({ startTime, duration }) => startTime + duration > fcp)
  return after.reduce((sum, { startTime, duration }) => sum + Math.max(0, startTime + duration - Math.max(startTime, fcp) - 50), 0)
}

async function visit(path) {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'] })
  try {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true })
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', network)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpuRate })
    let script = 0
    let all = 0
    const kinds = new Map()
    devtools.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type))
    devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      all += encodedDataLength
      if (kinds.get(requestId) === 'Script') script += encodedDataLength
    })
    await page.addInitScript(watch)
    await page.goto(site + path)
    await page.waitForLoadState('networkidle')
    await page.waitForFunction(() => window.__vitals.lcp > 0)
    await page.waitForLoadState('networkidle')
    const seen = await page.evaluate(() => window.__vitals)
    return { ...seen, tbt: blockingTime(seen), script: script / 1000, all: all / 1000 }
  } finally {
    await browser.close()
  }
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]

console.log(`${runs} runs each, CPU at 1/${cpuRate}, 1.6 Mbit/s, 150 ms`)
console.log('    LCP     FCP    TBT    CLS  script     all  page (largest)')
const paths = process.argv.slice(2)
for (const path of paths.length > 0 ? paths : await somePaths()) {
  const visits = []
  for (let run = 0; run < runs; run++) visits.push(await visit(path))
  const of = (name) => median(visits.map((one) => one[name]))
  const ms = (name) => of(name).toFixed(0).padStart(7)
  console.log(`${ms('lcp')} ${ms('fcp')} ${of('tbt').toFixed(0).padStart(6)} ${of('cls').toFixed(2).padStart(6)} ${of('script').toFixed(0).padStart(7)} ${of('all').toFixed(0).padStart(7)}  ${path} (${visits[0].element})`)
}
