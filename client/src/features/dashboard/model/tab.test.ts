import { expect, it } from 'vitest'
import { readTab, tabsFor } from './tab'

it('DASH-02: which tabs there are depends on the role', () => {
  expect(tabsFor('user')).toEqual(['overview', 'bookings', 'favorites'])
  expect(tabsFor('owner')).toEqual(['overview', 'bookings', 'favorites', 'businesses'])
  expect(tabsFor('admin')).toEqual(['overview', 'bookings', 'favorites', 'admin'])
})

it('a tab that the role does not have opens the first', () => {
  const businesses = new URLSearchParams({ tab: 'businesses' })
  expect(readTab(businesses, 'owner')).toBe('businesses')
  expect(readTab(businesses, 'user')).toBe('overview')
  expect(readTab(new URLSearchParams(), 'user')).toBe('overview')
})
