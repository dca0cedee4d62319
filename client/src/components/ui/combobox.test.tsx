import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { renderApp } from '@/testing/render'
import { Combobox } from './combobox'
import { Field } from './field'

const all = ['Madrid', 'Malaga', 'Murcia'].map((name) => ({ value: name, label: name }))

function Example() {
  const [text, setText] = useState('')
  return (
    <Field label="City">
      <Combobox
        listLabel="Cities"
        emptyText="No cities found"
        value={text}
        onChange={setText}
        options={all.filter((one) => one.label.toLowerCase().includes(text.toLowerCase()))}
      />
    </Field>
  )
}

it('takes an option with the keyboard alone, focus staying in the box', async () => {
  const user = userEvent.setup()
  renderApp(<Example />)
  const box = screen.getByRole('combobox', { name: 'City' })
  await user.type(box, 'ma{ArrowDown}{ArrowDown}')
  const active = box.getAttribute('aria-activedescendant') ?? ''
  expect(document.getElementById(active)?.textContent).toBe('Malaga')
  await user.keyboard('{Enter}')
  expect(box).toHaveProperty('value', 'Malaga')
  expect(box.getAttribute('aria-expanded')).toBe('false')
  expect(document.activeElement).toBe(box)
})

it('keeps free text and says when nothing matches', async () => {
  const user = userEvent.setup()
  renderApp(<Example />)
  const box = screen.getByRole('combobox')
  await user.type(box, 'Lugo')
  expect(screen.getAllByText('No cities found').length).toBeGreaterThan(0)
  await user.keyboard('{Escape}')
  expect(box).toHaveProperty('value', 'Lugo')
})
