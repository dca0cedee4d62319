import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Suspense } from 'react'
import { expect, it, vi } from 'vitest'
import { lazyPart } from './lazy-part'

function Greeting({ name }: { name: string }) {
  return <p>Hello {name}</p>
}
const missing = new TypeError('Failed to fetch dynamically imported module')

it('shows that it could not be loaded, keeps the surrounding UI, and can be retried', async () => {
  const load = vi
    .fn<() => Promise<typeof Greeting>>()
    .mockRejectedValueOnce(missing)
    .mockRejectedValueOnce(missing)
    .mockResolvedValue(Greeting)
  const Part = lazyPart(load)
  render(
    <>
      <input aria-label="Notes" />
      <Suspense>
        <Part name="Ona" />
      </Suspense>
    </>,
  )
  await userEvent.type(screen.getByLabelText('Notes'), 'typed')
  expect(await screen.findByText('This part could not be loaded')).toBeTruthy()
  expect(load).toHaveBeenCalledTimes(1)
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(2))
  await userEvent.click(await screen.findByRole('button', { name: 'Try Again' }))
  expect(await screen.findByText('Hello Ona')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Notes').value).toBe('typed')
})

it('retries with the next render, and may render nothing on failure', async () => {
  const load = vi
    .fn<() => Promise<typeof Greeting>>()
    .mockRejectedValueOnce(missing)
    .mockResolvedValue(Greeting)
  const Part = lazyPart(load, null)
  const first = render(
    <Suspense fallback="waiting">
      <Part name="Ona" />
    </Suspense>,
  )
  await vi.waitFor(() => expect(first.container.textContent).toBe(''))
  first.unmount()
  render(
    <Suspense>
      <Part name="Pol" />
    </Suspense>,
  )
  expect(await screen.findByText('Hello Pol')).toBeTruthy()
})
