// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest'
import { takeOver } from './take-over'

afterEach(() => document.body.replaceChildren())

function view(html: string): HTMLElement {
  const root = document.createElement('div')
  root.innerHTML = html
  document.body.append(root)
  return root
}

/** Takes over a first view whose button was pressed; `draw` renders the button later. */
function pressedEarly() {
  const first = view('<button type="button" data-pressed>Book Cut</button>')
  const drawn = view('<p>Loading business</p>')
  const restore = takeOver(first, drawn)
  first.remove()
  restore()
  const act = vi.fn()
  const draw = async () => {
    const button = document.createElement('button')
    button.textContent = 'Book Cut'
    button.addEventListener('click', act)
    // Called after the observers that exist by now.
    const noticed = new Promise<void>((resolve) => {
      new MutationObserver(() => resolve()).observe(drawn, { childList: true })
    })
    drawn.replaceChildren(button)
    await noticed
  }
  return { draw, act }
}

it('presses a button that the client renders later, once', async () => {
  const { draw, act } = pressedEarly()
  await draw()
  await vi.waitFor(() => expect(act).toHaveBeenCalledTimes(1))
  await draw()
  expect(act).toHaveBeenCalledTimes(1)
})

it('does not press it after the user has done something else', async () => {
  const { draw, act } = pressedEarly()
  window.dispatchEvent(new Event('keydown'))
  await draw()
  expect(act).not.toHaveBeenCalled()
})
