// Runs before the first paint; a separate file, as the page's policy forbids inline scripts.
// Minified by scripts/compress.mjs; src/app/take-over.ts describes the two listeners.
const { dataset } = document.documentElement
// Users who come back to a page get its scroll position restored, so the whole page must be there.
if (performance.getEntriesByType('navigation')[0]?.type === 'navigate') dataset.first = ''
try {
  const theme = localStorage.getItem('plaza.theme')
  if (theme === 'light' || theme === 'dark') dataset.theme = theme
  if (localStorage.getItem('plaza.auth') !== null) dataset.known = ''
} catch {
  // Storage can be disabled.
}
// Creating the first formatter takes as long as rendering a dozen businesses, so it is created
// while the client loads.
globalThis.requestIdleCallback?.(() => new Intl.DateTimeFormat('en-GB'))
// Presses at a business are counted by features/businesses/components/visit-recorder.tsx, when it
// runs.
const pressed = (globalThis.pressedVisits = [])
document.addEventListener(
  'click',
  ({ target }) => {
    const part = target instanceof Element && target.closest('[data-visit]')
    if (part) pressed.push({ path: location.pathname, kind: part.dataset.visit })
  },
  true,
)
document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element && target.closest('#first-view [type="button"]')
  if (!button) return
  button.dataset.pressed = ''
  setTimeout(tell, 2000, words.slow)
})
document.addEventListener('submit', (event) => {
  const form = event.target
  if (!form.closest('#first-view')) return
  event.preventDefault()
  form.querySelector('button').dataset.pressed = ''
  setTimeout(() => form.isConnected && form.submit(), 3000)
})

// Pressing a telephone number stops the loading of the page, including the script that waits for
// its end.
document.addEventListener('readystatechange', () => {
  // The last one: translations come before it.
  const client = [...document.querySelectorAll('script[type="module"]')].at(-1)
  if (document.readyState === 'complete' && client) void import(client.src)
})

// Reports if the client does not load; the client renders in place of this.
const [, language = 'en'] = /^\/(es|ca)(?:\/|$)/.exec(location.pathname) ?? []
const words = {
  en: {
    slow: 'Plaza is still loading.',
    failed: 'Plaza could not be loaded.',
    offline: 'You are offline.',
    reload: 'Reload',
  },
  es: {
    slow: 'Plaza aún se está cargando.',
    failed: 'No se ha podido cargar Plaza.',
    offline: 'No tienes conexión.',
    reload: 'Volver a cargar',
  },
  ca: {
    slow: 'Plaza encara s’està carregant.',
    failed: 'No s’ha pogut carregar Plaza.',
    offline: 'No tens connexió.',
    reload: 'Torna a carregar',
  },
}[language]
let note
function tell(text) {
  const root = document.getElementById('root')
  if (!note?.isConnected) {
    if (!root || (root.firstElementChild && !document.getElementById('first-view'))) return
    note = root.appendChild(document.createElement('p'))
  }
  note.role = 'status'
  note.lang = language
  note.className = 'fixed inset-x-0 bottom-0 border-line border-t bg-surface px-4 py-3 text-sm'
  note.textContent = navigator.onLine ? text : words.offline
  note.innerHTML += ` <a href="" class="underline">${words.reload}</a>`
}
setTimeout(tell, 8000, words.slow)
addEventListener(
  'error',
  ({ target }) => target instanceof HTMLScriptElement && tell(words.failed),
  true,
)
