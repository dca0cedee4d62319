import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Rating, ratingOf } from './rating'

it('SEARCH-21: combined rating, else rating, else 0', () => {
  expect(ratingOf({ combined_rating: 4.2, rating: 3 })).toBe(4.2)
  expect(ratingOf({ combined_rating: 0, rating: 3 })).toBe(0)
  expect(ratingOf({ combined_rating: null, rating: 3 })).toBe(3)
  expect(ratingOf({ combined_rating: null, rating: null })).toBe(0)
})

it('SEARCH-21: one decimal and five stars', () => {
  const { container } = render(<Rating value={4.25} count={12} />)
  expect(screen.getByText('Rated 4.3 out of 5, 12 reviews')).toBeTruthy()
  expect(container.querySelector<HTMLElement>('.stars')?.style.backgroundSize).toBe('85%')
})

it('a business without reviews is new, not bad', () => {
  const { container } = render(<Rating value={0} count={0} />)
  expect(container.textContent).toBe('New, not rated yet')
})
