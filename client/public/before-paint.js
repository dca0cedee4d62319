// Runs before the first paint; a file of its own, as the page may hold no script.
// Sent unminified; src/app/take-over.ts describes the two listeners.
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
document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element && target.closest('#first-view [type="button"]')
  if (button) button.dataset.pressed = ''
})
document.addEventListener('submit', (event) => {
  const form = event.target
  if (!form.closest('#first-view')) return
  event.preventDefault()
  form.querySelector('button').dataset.pressed = ''
  setTimeout(() => form.isConnected && form.submit(), 3000)
})
