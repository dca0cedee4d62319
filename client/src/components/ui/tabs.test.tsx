import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { Tabs } from './tabs'

it('arrow keys move from the focused tab even if the URL still names the previous one', () => {
  const onChange = vi.fn()
  const tabs = ['a', 'b', 'c'].map((key) => ({ key, label: key, content: null }))
  render(<Tabs label="Letters" tabs={tabs} value="a" onChange={onChange} />)
  screen.getByRole('tab', { name: 'a' }).focus()
  for (const name of ['b', 'c', 'a']) {
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'ArrowRight' })
    expect(onChange).toHaveBeenLastCalledWith(name)
    expect(document.activeElement).toBe(screen.getByRole('tab', { name }))
  }
})
