import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Picture } from './picture'

const url = '/storage/v1/object/public/photos/one.jpg'

it('shows the picture itself where its sizes cannot be had, and another in the place of one that is gone', () => {
  const { rerender } = render(<Picture url={url} alt="The shop" fallback={<p>A tile</p>} />)
  const picture = () => screen.getByRole('img')
  expect(picture().getAttribute('srcset')).toContain('render/image')
  fireEvent.error(picture())
  expect(picture().getAttribute('srcset')).toBeNull()
  expect(picture().getAttribute('src')).toBe(url)
  fireEvent.error(picture())
  expect(screen.queryByRole('img')).toBeNull()
  expect(screen.getByText('A tile')).toBeTruthy()
  rerender(<Picture url="https://plaza.test/two.jpg" alt="The shop" fallback={<p>A tile</p>} />)
  expect(picture().getAttribute('src')).toBe('https://plaza.test/two.jpg')
})

it('keeps what a picture that is gone would have said', () => {
  render(<Picture url="https://plaza.test/gone.jpg" alt="The shop" />)
  fireEvent.error(screen.getByRole('img'))
  expect(screen.getByRole('img', { name: 'The shop' }).localName).toBe('span')
})
