// Opens the page that was asked for as soon as there is a network again.
addEventListener('online', () => location.reload())
