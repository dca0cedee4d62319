import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { renderApp } from '@/testing/render'
import type { Slot } from '../model/slots'
import { SlotGrid } from './slot-grid'

const slots: Slot[] = [
  { start: '11:00', end: '11:30', reason: 'taken' },
  { start: '11:30', end: '12:00', reason: null },
  { start: '12:00', end: '12:30', reason: null },
]

function show(value: string | null = null) {
  const onChange = vi.fn<(start: string) => void>()
  renderApp(<SlotGrid slots={slots} value={value} onChange={onChange} />)
  return onChange
}

it('BOOK-08: what is taken stays in sight, says why and cannot be chosen', async () => {
  const onChange = show()
  const taken = screen.getByRole('radio', { name: '11:00, taken' })
  expect(taken.getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(taken)
  expect(onChange).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('radio', { name: '11:30' }))
  expect(onChange).toHaveBeenCalledWith('11:30')
})

it('is one stop of the keyboard; arrows walk through all parts of the day', async () => {
  show()
  await userEvent.tab()
  expect(document.activeElement?.textContent).toBe('11:30')
  await userEvent.keyboard('{ArrowRight}')
  expect(document.activeElement?.textContent).toBe('12:00')
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}')
  expect(document.activeElement?.textContent).toBe('11:00Taken')
})

it('groups by part of the day and marks what is chosen', () => {
  show('12:00')
  const afternoon = screen.getByRole('radiogroup', { name: 'Afternoon' })
  expect(afternoon.querySelector('[aria-checked="true"]')?.textContent).toBe('12:00')
})
