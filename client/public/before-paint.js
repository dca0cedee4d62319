// Runs before the first paint; a file of its own, as the page may hold no script.
// Minified by scripts/compress.mjs; src/app/take-over.ts describes the two listeners.
const { dataset } = document.documentElement
// Who comes back to a page finds the place where it was left, so all of it has to be there.
if (performance.getEntriesByType('navigation')[0]?.type === 'navigate') dataset.first = ''
try {
  const theme = localStorage.getItem('plaza.theme')
  if (theme === 'light' || theme === 'dark') dataset.theme = theme
  if (localStorage.getItem('plaza.auth') !== null) dataset.known = ''
} catch {
  // Storage can be switched off.
}
// The first formatter takes as long as a dozen businesses: it is made while the client is on its way.
globalThis.requestIdleCallback?.(() => new Intl.DateTimeFormat('en-GB'))
// What is pressed at a business is counted by features/businesses/components/visit-recorder.tsx, when it runs.
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
  setTimeout(tell, 2000, 'Plaza is still loading.')
})
document.addEventListener('submit', (event) => {
  const form = event.target
  if (!form.closest('#first-view')) return
  event.preventDefault()
  form.querySelector('button').dataset.pressed = ''
  setTimeout(() => form.isConnected && form.submit(), 3000)
})

// Whoever presses a telephone number ends the loading of the page, with the script that waits for its end.
document.addEventListener('readystatechange', () => {
  const client = document.querySelector('script[type="module"]')
  if (document.readyState === 'complete' && client) void import(client.src)
})

// Says so where the client does not come; it draws in the place of this.
let note
function tell(text) {
  const root = document.getElementById('root')
  if (!note?.isConnected) {
    if (!root || (root.firstElementChild && !document.getElementById('first-view'))) return
    note = root.appendChild(document.createElement('p'))
  }
  note.role = 'status'
  note.lang = 'en'
  note.className = 'fixed inset-x-0 bottom-0 border-line border-t bg-surface px-4 py-3 text-sm'
  note.textContent = navigator.onLine ? text : 'You are offline.'
  note.innerHTML += ' <a href="" class="underline">Reload</a>'
}
setTimeout(tell, 8000, 'Plaza is still loading.')
addEventListener(
  'error',
  ({ target }) => target instanceof HTMLScriptElement && tell('Plaza could not be loaded.'),
  true,
)
