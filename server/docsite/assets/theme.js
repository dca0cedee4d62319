// Runs before the first paint. The choice is shared with the other pages of this origin.
const theme = localStorage.getItem('plaza.theme')
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
