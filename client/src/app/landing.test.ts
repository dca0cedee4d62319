// @vitest-environment happy-dom
import { matchRoutes } from 'react-router'
import { expect, it } from 'vitest'
import { paths } from '@/lib/paths'
import { readAuthState } from './auth-notice'
import { landingPath } from './landing'
import { accountLinks, footerColumns, legalLinks } from './layouts/nav-model'
import { router } from './router'

const account = { id: '1', name: null, avatarUrl: null, role: 'user', wantsToSell: false } as const

it('AUTH-05: the page that sign-in interrupted, else the dashboard', () => {
  expect(landingPath({ stored: '/business/a', account })).toBe('/business/a')
  expect(landingPath({ stored: null, account })).toBe('/dashboard')
  expect(landingPath({ stored: null, account: null })).toBe('/dashboard')
})

it('S-01: who signed up to sell is led to the application, once not a seller yet', () => {
  const seller = { ...account, wantsToSell: true }
  expect(landingPath({ stored: null, account: seller })).toBe('/become-seller')
  expect(landingPath({ stored: null, account: { ...seller, role: 'owner' } })).toBe('/dashboard')
})

it('offering a business leads to its form, or to the application for non-owners', () => {
  const offer = { stored: '/business/a', offersBusiness: true }
  expect(landingPath({ ...offer, account })).toBe('/become-seller')
  expect(landingPath({ ...offer, account: { ...account, role: 'owner' } })).toBe('/business/new')
  expect(landingPath({ ...offer, account: { ...account, role: 'admin' } })).toBe('/business/new')
  expect(landingPath({ ...offer, account: null })).toBe('/business/a')
})

it('where sign-in leads is a screen, as is every address of the menus', () => {
  const menus = [...footerColumns.flatMap(({ links }) => links), ...legalLinks]
  const links = [...menus, ...accountLinks('owner'), ...accountLinks('admin')]
  for (const address of [paths.dashboard, paths.becomeSeller, ...links.map(({ to }) => to)]) {
    const [pathname = ''] = address.split('?')
    expect(matchRoutes(router.routes, pathname)?.at(-1)?.route.path, address).not.toBe('*')
  }
})

it('the notice for sign-in is validated', () => {
  const notice = { title: 'Session expired', text: 'Please sign in again.' }
  expect(readAuthState({ notice, email: 'a@b.test' })).toEqual({
    isUnconfirmed: false,
    email: 'a@b.test',
    notice,
  })
  for (const state of [null, 'x', {}, { notice: { title: 1 } }, { email: '' }]) {
    expect(readAuthState(state)).toEqual({ isUnconfirmed: false })
  }
})
