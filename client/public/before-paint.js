// Runs before the first paint, as a file of its own because the page's security
// policy allows no inline script.
try {
  const theme = localStorage.getItem('plaza.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  if (localStorage.getItem('plaza.auth') !== null) document.documentElement.dataset.known = ''
} catch {
  // Storage can be switched off; the system's theme then stands, for a visitor.
}
// What is pressed in the first view, while the client is on its way, is pressed in the
// client when it has drawn itself (src/app/take-over.ts).
document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element && target.closest('#first-view button[type="button"]')
  if (button) button.dataset.pressed = ''
})
// A search waits, too, as the client knows the city; but not for a client that does not come.
document.addEventListener('submit', (event) => {
  const form = event.target
  if (!form.closest('#first-view')) return
  event.preventDefault()
  form.querySelector('button').dataset.pressed = ''
  setTimeout(() => form.isConnected && form.submit(), 3000)
})
