import { describe, expect, it } from 'vitest'
import { editAccess } from './edit-access'
import { readEditTab } from './edit-tab'

describe('PERM-07 OWNER-10: who edits a business', () => {
  const business = { owner_id: 'ana' }
  it.each([
    ['its owner', { business, userId: 'ana', isAdmin: false }, 'owner'],
    ['an admin who owns it', { business, userId: 'ana', isAdmin: true }, 'owner'],
    ['an admin', { business, userId: 'ada', isAdmin: true }, 'admin'],
    ['another', { business, userId: 'ben', isAdmin: false }, 'denied'],
    [
      'anybody, of nobody',
      { business: { owner_id: null }, userId: 'ben', isAdmin: false },
      'denied',
    ],
    ['where there is none', { business: null, userId: 'ada', isAdmin: true }, 'not-found'],
  ])('%s', (_, facts, access) => {
    expect(editAccess(facts)).toBe(access)
  })
})

it.each([
  ['', 'details'],
  ['tab=details', 'details'],
  ['tab=services', 'services'],
  ['tab=photos', 'photos'],
  ['tab=hours', 'hours'],
  ['tab=amenities', 'amenities'],
  ['tab=nonsense', 'details'],
])('OWNER-04 C-41: "%s" opens the tab %s', (query, tab) => {
  expect(readEditTab(new URLSearchParams(query))).toBe(tab)
})
