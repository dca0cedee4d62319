import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Tooltip } from './tooltip'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('UI-05: a tooltip opens after 700 ms, not before, and closes on Escape', () => {
  render(
    <Tooltip text="Save for later">
      <button type="button">Favorite</button>
    </Tooltip>,
  )
  const button = screen.getByRole('button')
  act(() => button.focus())
  act(() => vi.advanceTimersByTime(699))
  expect(screen.queryByText('Save for later')).toBeNull()
  act(() => vi.advanceTimersByTime(1))
  expect(screen.getByText('Save for later')).toBeTruthy()
  fireEvent.keyDown(button, { key: 'Escape' })
  expect(screen.queryByText('Save for later')).toBeNull()
})
