import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { describe, expect, it, vi } from 'vitest'
import { Dialog } from './ui/dialog'
import { useUnsavedDialog } from './use-unsaved-dialog'

type FormProps = { onClose: () => void; isPending?: boolean }

function Form({ onClose, isPending = false }: FormProps) {
  const [text, setText] = useState('')
  const { close, leave, guard } = useUnsavedDialog({ isDirty: text !== '', isPending, onClose })
  return (
    <>
      <Dialog open title="Write" onClose={close}>
        <input aria-label="Text" value={text} onChange={(event) => setText(event.target.value)} />
        <button type="button" onClick={leave}>
          Save
        </button>
      </Dialog>
      {guard}
    </>
  )
}

function show(props: Omit<FormProps, 'onClose'> = {}) {
  const onClose = vi.fn()
  const router = createMemoryRouter(
    [
      { path: '/', element: <Form onClose={onClose} {...props} /> },
      { path: '/other', element: <p>Other</p> },
    ],
    { initialEntries: ['/'] },
  )
  render(<RouterProvider router={router} />)
  const dialog = screen.getByRole('dialog', { name: 'Write' })
  /** What the browser does on Escape. */
  const pressEscape = () => fireEvent(dialog, new Event('cancel', { cancelable: true }))
  return { user: userEvent.setup(), onClose, router, dialog, pressEscape }
}

const question = () => screen.queryByText('Discard your changes?')

describe('a dialog with unsaved changes', () => {
  it('closes at once without changes', () => {
    const { onClose, pressEscape } = show()
    pressEscape()
    expect(onClose).toHaveBeenCalledOnce()
    expect(question()).toBeNull()
  })
  it('asks on Escape, on the close button and on a press outside; keeps what was typed', async () => {
    const { user, onClose, dialog, pressEscape } = show()
    await user.type(screen.getByLabelText('Text'), 'Hello')
    const ways = [
      pressEscape,
      () => fireEvent.click(screen.getByRole('button', { name: 'Close' })),
      () => fireEvent.click(dialog),
    ]
    for (const way of ways) {
      way()
      expect(question()).not.toBeNull()
      await user.click(screen.getByRole('button', { name: 'Keep editing' }))
      expect(question()).toBeNull()
    }
    expect(onClose).not.toHaveBeenCalled()
    expect(screen.getByLabelText('Text')).toHaveProperty('value', 'Hello')
    pressEscape()
    await user.click(screen.getByRole('button', { name: 'Discard' }))
    expect(onClose).toHaveBeenCalledOnce()
  })
  it('stays open while it is sent', async () => {
    const { user, onClose, pressEscape } = show({ isPending: true })
    await user.type(screen.getByLabelText('Text'), 'Hello')
    pressEscape()
    expect(onClose).not.toHaveBeenCalled()
    expect(question()).toBeNull()
  })
  it('is closed by a navigation without a question once it was saved', async () => {
    const { user, router, onClose } = show()
    onClose.mockImplementation(() => router.navigate('/other'))
    await user.type(screen.getByLabelText('Text'), 'Hello')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Other')).toBeTruthy()
    expect(question()).toBeNull()
  })
  it('asks before the page is left', async () => {
    const { user, router } = show()
    await user.type(screen.getByLabelText('Text'), 'Hello')
    await router.navigate('/other')
    expect(await screen.findByText('Discard your changes?')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Discard' }))
    expect(await screen.findByText('Other')).toBeTruthy()
  })
})
