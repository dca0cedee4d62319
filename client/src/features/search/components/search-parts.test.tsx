import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { renderApp } from '@/testing/render'
import { noTerms, type Terms } from '../model/terms'
import { CategorySelect } from './category-select'
import { FilterBar } from './filter-bar'
import { NoBusinesses } from './search-empty'

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
  renderApp(<FilterBar terms={terms} categoryCode="" categories={categories} onChange={onChange} />)
  await userEvent.click(screen.getByRole('button', { name: '4.5+' }))
  expect(onChange).toHaveBeenLastCalledWith({ rating: 4.5 })
  await userEvent.click(screen.getByRole('button', { name: 'Parking', pressed: true }))
  expect(onChange).toHaveBeenLastCalledWith({ amenities: ['Delivery'] })
  // What was set in the sheet alone has a chip to be dropped by.
  await userEvent.click(screen.getByRole('button', { name: 'Delivery', pressed: true }))
  expect(onChange).toHaveBeenLastCalledWith({ amenities: ['Parking'] })
})

it('SEARCH-16: no business at all', () => {
  renderApp(<NoBusinesses />)
  expect(screen.getByRole('heading', { name: 'No Businesses Yet' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Add Your Business' }).getAttribute('href')).toBe(
    '/auth?mode=register&role=owner',
  )
})
