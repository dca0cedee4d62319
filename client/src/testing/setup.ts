import { cleanup } from '@testing-library/react'
import { afterEach } from 'vitest'

// happy-dom has no popovers. This emulates what the components rely on: a button with
// `popovertarget` toggles, and both toggle events are dispatched.
type ToggleInit = { oldState: string; newState: string }

function send(element: HTMLElement, type: string, init: ToggleInit): void {
  element.dispatchEvent(Object.assign(new Event(type), init))
}

function setShown(element: HTMLElement, shown: boolean): void {
  if (element.hasAttribute('data-shown') === shown) return
  const init = { oldState: shown ? 'closed' : 'open', newState: shown ? 'open' : 'closed' }
  send(element, 'beforetoggle', init)
  element.toggleAttribute('data-shown', shown)
  // Browsers dispatch this one asynchronously; components rely on having rendered what they show.
  setTimeout(() => send(element, 'toggle', init))
}

HTMLElement.prototype.showPopover = function showPopover() {
  setShown(this, true)
}
HTMLElement.prototype.hidePopover = function hidePopover() {
  setShown(this, false)
}
document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('[popovertarget]') : null
  const panel = document.getElementById(button?.getAttribute('popovertarget') ?? '')
  if (panel) setShown(panel, !panel.hasAttribute('data-shown'))
})

afterEach(cleanup)
