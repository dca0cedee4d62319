import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { largestQuery } from '@/features/directory/api/queries'
import { topCategories } from '@/features/directory/model/categories'
import { renderApp } from '@/testing/render'
import { Footer } from './footer'
import { Header } from './header'
import { accountLinks, headerLinks } from './nav-model'

const labels = (links: readonly { label: string }[]) => links.map((link) => link.label)

describe('who sees what', () => {
  it('NAV-01 to NAV-03, C-04: My Businesses for owners only, Admin for admins only', () => {
    const afterMenu = (role: 'user' | 'owner' | 'admin' | null) => labels(headerLinks(role).after)
    expect(labels(headerLinks(null).before)).toEqual(['Home'])
    expect(afterMenu(null)).toEqual(['About'])
    expect(afterMenu('user')).toEqual(['About'])
    expect(afterMenu('owner')).toEqual(['My Businesses', 'About'])
    expect(afterMenu('admin')).toEqual(['Admin', 'About'])
  })
  it('NAV-04: the account menu, in its order', () => {
    expect(labels(accountLinks('user'))).toEqual(['Dashboard', 'My Bookings', 'Settings'])
    expect(labels(accountLinks('owner'))).toEqual([
      'Dashboard',
      'My Bookings',
      'My Businesses',
      'Settings',
    ])
    expect(labels(accountLinks('admin'))).toEqual([
      'Dashboard',
      'My Bookings',
      'Admin Dashboard',
      'User Management',
      'Settings',
    ])
  })
})

const hrefs = (element: HTMLElement) =>
  within(element)
    .getAllByRole('link')
    .map((link) => link.getAttribute('href'))

describe('the header', () => {
  it('NAV-05: Sign In when signed out, and no account menu', () => {
    renderApp(<Header />)
    expect(screen.getByRole('link', { name: 'Sign In' }).getAttribute('href')).toBe('/auth')
    expect(screen.queryByRole('button', { name: /Account of/ })).toBeNull()
  })
  it('NAV-09, NAV-10: desktop categories go to their search by label', async () => {
    renderApp(<Header />)
    await userEvent.click(screen.getByRole('button', { name: 'Categories' }))
    const expected = topCategories.map(
      ({ name }) => `/search?${new URLSearchParams({ category: name })}`,
    )
    expect(hrefs(screen.getByRole('group', { name: 'Categories' }))).toEqual(expected)
  })
  it('NAV-06, NAV-11: the mobile menu unfolds, its categories go to their page by slug', async () => {
    renderApp(<Header />)
    const button = screen.getByRole('button', { name: 'Menu' })
    expect(screen.queryByRole('navigation', { name: 'Mobile' })).toBeNull()
    await userEvent.click(button)
    expect(button.getAttribute('aria-expanded')).toBe('true')
    const menu = await screen.findByRole('navigation', { name: 'Mobile' })
    const all = hrefs(menu)
    expect(all).toEqual(expect.arrayContaining(['/', '/about', '/auth']))
    expect(all.filter((href) => href?.startsWith('/category/'))).toEqual(
      topCategories.map(({ code }) => `/category/${code}`),
    )
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('navigation', { name: 'Mobile' })).toBeNull()
  })
})

describe('the footer', () => {
  const largest = {
    cities: [{ slug: 'seville', name: 'Seville' }],
    categories: [{ category_code: 'beautysvc', category_name: 'Beauty & Spas' }],
  }
  const renderFooter = (found: typeof largest) =>
    renderApp(<Footer />, { data: [[largestQuery.queryKey, found]] })
  it('NAV-07: three columns of links', () => {
    renderFooter(largest)
    for (const title of ['Discover', 'For Business', 'Support']) {
      const column = screen.getByRole('navigation', { name: title })
      expect(within(column).getByRole('heading', { name: title })).toBeTruthy()
      expect(hrefs(column).length).toBeGreaterThan(2)
    }
  })
  it('NAV-08: the legal links', () => {
    renderFooter(largest)
    expect(hrefs(screen.getByRole('navigation', { name: 'Legal' }))).toEqual(['/privacy', '/terms'])
  })
  it('links to the largest cities and categories, if there are any', () => {
    renderFooter(largest)
    expect(hrefs(screen.getByRole('navigation', { name: 'Cities' }))).toEqual(['/c/seville'])
    const categories = screen.getByRole('navigation', { name: 'Categories' })
    expect(hrefs(categories)).toEqual(['/category/beautysvc'])
    renderFooter({ ...largest, cities: [] })
    expect(screen.getAllByRole('navigation', { name: 'Cities' })).toHaveLength(1)
  })
})
