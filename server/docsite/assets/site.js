// The site works without this script: it shows search results as somebody types, switches the
// theme, copies code and marks the part of the page that is read.
const root = document.documentElement
const field = document.getElementById('search')
const panel = document.getElementById('found')

// ── Theme ──
const button = document.querySelector('.theme')
const dark = matchMedia('(prefers-color-scheme: dark)')
const isDark = () => (root.dataset.theme ?? (dark.matches ? 'dark' : 'light')) === 'dark'
function labelTheme() {
  button.textContent = isDark() ? 'Light' : 'Dark'
  button.ariaLabel = `Use the ${isDark() ? 'light' : 'dark'} theme`
}
button.addEventListener('click', () => {
  root.dataset.theme = isDark() ? 'light' : 'dark'
  labelTheme()
  localStorage.setItem('plaza.theme', root.dataset.theme) // last: storage can be disabled
})
dark.addEventListener('change', labelTheme)
labelTheme()
button.hidden = false

// ── Search ──
let waiting
let sent = 0
function hide() {
  panel.hidden = true
}
async function find() {
  const query = field.value.trim()
  if (!query) return hide()
  const number = ++sent
  const response = await fetch(`/docs/search?q=${encodeURIComponent(query)}`)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const results = page.getElementById('results')
  if (number !== sent || !results || document.activeElement !== field) return
  results.removeAttribute('id')
  panel.replaceChildren(results)
  panel.hidden = false
}
field.addEventListener('input', () => {
  clearTimeout(waiting)
  waiting = setTimeout(() => find().catch(hide), 120)
})
field.form.addEventListener('focusout', (event) => {
  if (!field.form.contains(event.relatedTarget)) hide()
})
// Keeps the focus where it is, so that a press on the panel does not hide it.
panel.addEventListener('mousedown', (event) => event.preventDefault())
field.form.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    hide()
    field.focus()
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step || panel.hidden) return
  event.preventDefault()
  const stops = [field, ...panel.querySelectorAll('a')]
  stops.at((stops.indexOf(document.activeElement) + step) % stops.length).focus()
})
panel.addEventListener('click', (event) => {
  if (event.target.closest('a')) hide() // also for a link within the page
})
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest('input, textarea, select, [contenteditable]')
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return
  event.preventDefault()
  field.focus()
  field.select()
})

// ── Navigation ──
const nav = document.getElementById('nav')
const current = nav.querySelector('[aria-current]')
if (current) nav.scrollTop = current.offsetTop - nav.clientHeight / 2

// ── Code ──
if (navigator.clipboard) {
  for (const code of document.querySelectorAll('article pre')) {
    const copy = document.createElement('button')
    copy.type = 'button'
    copy.className = 'copy'
    copy.textContent = 'Copy'
    copy.addEventListener('click', async () => {
      await navigator.clipboard.writeText(code.querySelector('code').textContent)
      copy.textContent = 'Copied'
      setTimeout(() => (copy.textContent = 'Copy'), 2000)
    })
    const box = document.createElement('div')
    box.className = 'code'
    code.replaceWith(box)
    box.append(code, copy)
  }
}

// ── The heading that is read, in the list of headings ──
const entries = new Map()
for (const entry of document.querySelectorAll('aside a')) entries.set(entry.hash.slice(1), entry)
const headings = [...document.querySelectorAll('article :is(h2, h3)[id]')].filter((one) =>
  entries.has(one.id),
)
if (headings.length > 0) {
  const mark = () => {
    const read = headings.findLast((one) => one.getBoundingClientRect().top < 120) ?? headings[0]
    for (const [id, entry] of entries) {
      if (id === read.id) entry.setAttribute('aria-current', 'location')
      else entry.removeAttribute('aria-current')
    }
  }
  addEventListener('scroll', mark, { passive: true })
  mark()
}
