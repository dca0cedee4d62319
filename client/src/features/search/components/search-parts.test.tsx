import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { renderApp } from '@/testing/render'
import { noTerms, type Terms } from '../model/terms'
import { CategorySelect } from './category-select'
import { FilterBar } from './filter-bar'
import { NoBusinesses } from './search-empty'
import { SetChips } from './set-chips'

const categories = [
  { name: 'Food', code: 'food', parent: null },
  { name: 'Bakeries', code: 'bakeries', parent: 'food' },
]

it("SEARCH-02: parents with their children, 'All Categories' and 'All {name}'", async () => {
  const onChange = vi.fn<(code: string) => void>()
  renderApp(
    <CategorySelect label="Category" categories={categories} value="" onChange={onChange} />,
  )
  const select = screen.getByRole('combobox', { name: 'Category' })
  expect(
    within(select)
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toEqual(['All Categories', 'All Food', 'Bakeries'])
  await userEvent.selectOptions(select, 'Bakeries')
  expect(onChange).toHaveBeenCalledWith('bakeries')
})

it('a chip sets a filter and takes it back', async () => {
  const onChange = vi.fn<(change: Partial<Terms>) => void>()
  const terms = { ...noTerms, amenities: ['Parking', 'Delivery'] }
  renderApp(
    <FilterBar
      terms={terms}
      onChange={onChange}
      others={<SetChips terms={terms} onChange={onChange} />}
      sheet={() => null}
    />,
  )
  await userEvent.click(screen.getByRole('button', { name: '4.5+' }))
  expect(onChange).toHaveBeenLastCalledWith({ rating: 4.5 })
  await userEvent.click(screen.getByRole('button', { name: 'Parking', pressed: true }))
  expect(onChange).toHaveBeenLastCalledWith({ amenities: ['Delivery'] })
  // A filter set in the sheet has a chip that removes it.
  await userEvent.click(await screen.findByRole('button', { name: 'Delivery', pressed: true }))
  expect(onChange).toHaveBeenLastCalledWith({ amenities: ['Parking'] })
})

it('each filter that is set can be seen and dropped, and the order be chosen', async () => {
  const onChange = vi.fn<(change: Partial<Terms>) => void>()
  const terms = {
    ...noTerms,
    on: '2026-11-28',
    priceMin: 20,
    priceMax: 50.5,
    within: 5,
    near: '41.4,2.2',
    bounds: '41,2,42,3',
    rating: 3.5,
  }
  renderApp(
    <FilterBar
      terms={terms}
      onChange={onChange}
      others={<SetChips terms={terms} onChange={onChange} />}
      sheet={() => null}
    />,
  )
  expect(screen.getByRole('button', { name: 'Filters 5 set' })).toBeTruthy()
  for (const [name, dropped] of [
    ['Free on Sat 28 Nov', { on: '' }],
    ['$20–$50.50', { priceMin: 0, priceMax: 0 }],
    ['Within 5 km of you', { within: 0, near: '' }],
    ['This area of the map', { bounds: '' }],
    ['3.5+', { rating: 0 }],
  ] as const) {
    await userEvent.click(await screen.findByRole('button', { name, pressed: true }))
    expect(onChange).toHaveBeenLastCalledWith(dropped)
  }
  await userEvent.click(screen.getByRole('button', { name: 'Open now' }))
  expect(onChange).toHaveBeenLastCalledWith({ open: true })
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), 'Lowest price')
  expect(onChange).toHaveBeenLastCalledWith({ sort: 'price' })
})

it('SEARCH-16: no business at all', () => {
  renderApp(<NoBusinesses />)
  expect(screen.getByRole('heading', { name: 'No Businesses Yet' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Add Your Business' }).getAttribute('href')).toBe(
    '/auth?mode=register&role=owner',
  )
})
