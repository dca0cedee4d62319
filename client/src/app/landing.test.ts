// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { readAuthState } from './auth-notice'
import { isScreen, landing } from './landing'

const account = { id: '1', name: null, avatarUrl: null, role: 'user', wantsToSell: false } as const
const all = () => true

it('AUTH-05: the page that sign-in interrupted, else the dashboard', () => {
  expect(landing({ stored: '/business/a', account }, all)).toBe('/business/a')
  expect(landing({ stored: null, account }, all)).toBe('/dashboard')
  expect(landing({ stored: null, account: null }, all)).toBe('/dashboard')
})

it('S-01: who signed up to sell is led to the application, once not a seller yet', () => {
  const seller = { ...account, wantsToSell: true }
  expect(landing({ stored: null, account: seller }, all)).toBe('/become-seller')
  expect(landing({ stored: null, account: { ...seller, role: 'owner' } }, all)).toBe('/dashboard')
})

it('nobody is sent to a page that does not exist', () => {
  expect(landing({ stored: null, account }, () => false)).toBe('/bookings')
  expect(isScreen('/bookings')).toBe(true)
  expect(isScreen('/auth?mode=reset')).toBe(true)
  expect(isScreen('/no-such-page')).toBe(false)
})

it('what a screen wants said at sign-in is read with suspicion', () => {
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
