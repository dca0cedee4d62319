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
