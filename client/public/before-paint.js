// Runs before the first paint, as a file of its own because the page's security
// policy allows no inline script.
try {
  const theme = localStorage.getItem('plaza.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage can be switched off; the system's theme then stands.
}
// Home's first words stand in index.html and show while the scripts are on their way.
if (location.pathname === '/') document.documentElement.dataset.home = ''
