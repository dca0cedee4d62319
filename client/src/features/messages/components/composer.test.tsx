import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { renderApp } from '@/testing/render'
import { Composer } from './composer'

function open(userId: string) {
  renderApp(<Composer userId={userId} businessId="b" customerId={null} onSent={() => undefined} />)
  return screen.getByRole('textbox', { name: 'Your message' })
}

it('MSG-03: an unsent text is kept for its author, not for another account in the same tab', async () => {
  await userEvent.type(open('ana'), 'My number is 600 000 000')
  cleanup()
  expect(open('ben')).toHaveProperty('value', '')
  cleanup()
  expect(open('ana')).toHaveProperty('value', 'My number is 600 000 000')
})
