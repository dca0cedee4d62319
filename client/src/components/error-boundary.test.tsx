import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { ErrorBoundary } from './error-boundary'

let broken = true

function Section() {
  if (broken) throw new Error('boom')
  return <p>Back again</p>
}

it('UI-06: a titled alert with Try Again, which renders the section again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  broken = true
  render(
    <ErrorBoundary title="Reviews could not be shown">
      <Section />
    </ErrorBoundary>,
  )
  expect((await screen.findByRole('alert')).textContent).toContain('Reviews could not be shown')
  broken = false
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(screen.getByText('Back again')).toBeTruthy()
})
