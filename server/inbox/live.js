// Refreshes the list of mails without disturbing focus or input.
const pause = 2000

async function refresh() {
  if (document.hidden) return
  const response = await fetch(location.href)
  if (!response.ok) return
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html')
  const [list, now] = [document.querySelector('nav'), fresh.querySelector('nav')]
  if (!now || list.innerHTML === now.innerHTML) return
  const focused = list.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null
  list.innerHTML = now.innerHTML
  document.title = fresh.title
  document.querySelector('[role=status]').textContent = fresh.querySelector('[role=status]').textContent
  document.querySelector('.quiet').disabled = fresh.querySelector('.quiet').disabled
  if (focused) [...list.querySelectorAll('a')].find((link) => link.getAttribute('href') === focused)?.focus()
}

setInterval(() => refresh().catch(() => {}), pause) // retry after an error
