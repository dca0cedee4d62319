// The service worker (S-58): it keeps one page for when there is no network, and nothing else: no
// answers of the server and no pages of an account. scripts/compress.mjs puts the build's hash in,
// so that each build has a worker of its own, and a new one is noticed.
const shell = 'plaza-__BUILD__'
const page = '/offline.html'
const files = [page, '/offline.js', '/favicon.svg']

addEventListener('install', (event) => {
  event.waitUntil(keepShell())
})

async function keepShell() {
  const kept = await caches.open(shell)
  // Not from the browser's cache, which may have the former build's.
  await kept.addAll(files.map((file) => new Request(file, { cache: 'reload' })))
}

addEventListener('activate', (event) => {
  // A page is requested while the worker starts.
  event.waitUntil(Promise.all([registration.navigationPreload?.enable(), dropFormer(), clients.claim()]))
})

async function dropFormer() {
  for (const name of await caches.keys()) {
    if (name !== shell) await caches.delete(name)
  }
}

addEventListener('message', (event) => {
  // Sent when the user agrees to the update (src/app/updates.ts).
  if (event.data === 'skip-waiting') skipWaiting()
})

addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET') return
  if (request.mode === 'navigate') event.respondWith(open(request, event.preloadResponse))
  else if (files.includes(new URL(request.url).pathname)) event.respondWith(orKept(request))
})

async function open(request, preloaded) {
  try {
    return (await preloaded) ?? (await fetch(request))
  } catch (error) {
    const kept = await caches.match(page)
    if (kept) return kept
    throw error
  }
}

async function orKept(request) {
  try {
    return await fetch(request)
  } catch (error) {
    const kept = await caches.match(request)
    if (kept) return kept
    throw error
  }
}
