import { describe, expect, it } from 'vitest'
import { AppError } from '@/lib/errors'
import { messages } from '../messages'
import { confirmationWord, deleteRefusal, isConfirmed } from './deletion'
import { isSignedOut, profileSchema } from './profile'
import { profileTabs, readTab } from './tab'

it('PROFILE-01: four tabs, the open one is stored in the URL', () => {
  expect(profileTabs.map((tab) => messages[tab])).toEqual([
    'Profile',
    'Account',
    'Notifications',
    'Security',
  ])
  expect(readTab(new URLSearchParams('tab=account'))).toBe('account')
  expect(readTab(new URLSearchParams('tab=x'))).toBe('profile')
})

it('PROFILE-02: a name without markup', () => {
  expect(profileSchema.parse({ fullName: ' <b>Ona</b>  Vidal' })).toEqual({ fullName: 'Ona Vidal' })
  expect(profileSchema.safeParse({ fullName: '<b></b>' }).success).toBe(false)
})

it('ERR-22: distinguishes an ended session from other failures', () => {
  const error = (code: string, status: number) => new AppError(code, 'raw', { status })
  expect(isSignedOut(error('PGRST301', 401))).toBe(true)
  expect(isSignedOut(error('42501', 403))).toBe(true)
  expect(isSignedOut(error('23514', 400))).toBe(false)
})

describe('PROFILE-08: deleting the account', () => {
  it('asks for the address one signs in with', () => {
    expect(confirmationWord({ email: 'ona@plaza.test', phone: '' })).toBe('ona@plaza.test')
    expect(confirmationWord({ email: '', phone: '34600123456' })).toBe('34600123456')
    expect(confirmationWord({ email: '', phone: '' })).toBe('Delete Account')
  })
  it('takes it in any case, and nothing else', () => {
    expect(isConfirmed(' Ona@Plaza.test ', 'ona@plaza.test')).toBe(true)
    expect(isConfirmed('', 'ona@plaza.test')).toBe(false)
  })
  it('returns the reason if the server names it', () => {
    const said = (code: string, status: number) =>
      deleteRefusal(new AppError(code, 'raw', { status }))
    expect(said('last_admin', 409)).toBe(messages.deleteRefusals.last_admin)
    expect(said('unknown', 405)).toBe(messages.deleteRefusals.not_enabled)
    expect(said('unexpected_failure', 500)).toBeNull()
  })
})
