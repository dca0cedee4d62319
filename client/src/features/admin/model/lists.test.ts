import { describe, expect, it } from 'vitest'
import { isNarrowed, type ListKind, listParams, readList } from './list'
import { countElsewhere, toggled, without } from './selection'
import { adminTabs, readTab } from './tabs'

const kind: ListKind = {
  tab: 'users',
  filters: ['role'],
  sorts: ['name', 'created_at'],
  defaultSort: { key: 'created_at', descending: true },
}

describe('ADMIN-USERS-06, ROUTE-32: which panel the address names', () => {
  it.each([
    ['', 'businesses'],
    ['tab=users', 'users'],
    ['tab=locations', 'locations'],
    ['tab=nothing', 'businesses'],
  ])('%s is %s', (query, tab) => expect(readTab(new URLSearchParams(query))).toBe(tab))
  it('begins with the default', () => expect(adminTabs[0]).toBe('businesses'))
})

describe('ADMIN-USERS-08, ADMIN-BIZ-01: the state of a list is stored in the URL', () => {
  const addresses = [
    'tab=users',
    'tab=users&q=ana&role=owner&sort=name&page=3',
    'tab=users&sort=-name',
    'tab=users&sort=created_at',
    'tab=users&page=2&row=7',
  ]
  it.each(addresses)('%s is read and written alike', (query) =>
    expect(listParams(readList(new URLSearchParams(query), kind), kind).toString()).toBe(query),
  )
  it.each([
    ['tab=users&page=0', 'tab=users'],
    ['tab=users&page=-2', 'tab=users'],
    ['tab=users&page=1.5', 'tab=users'],
    ['tab=users&page=x', 'tab=users'],
    ['tab=users&sort=role', 'tab=users'],
    ['tab=users&sort=-created_at', 'tab=users'],
    ['tab=users&type=Bar', 'tab=users'],
    ['tab=users&q=%3Cb%3E', 'tab=users&q=b'],
  ])('%s comes to %s', (query, plain) =>
    expect(listParams(readList(new URLSearchParams(query), kind), kind).toString()).toBe(plain),
  )
  it('leaves the default panel out of the address', () => {
    const list = readList(new URLSearchParams('q=bar'), kind)
    expect(listParams(list, { ...kind, tab: 'businesses' }).toString()).toBe('q=bar')
  })
  it('is narrowed by a text or a filter, not by its order', () => {
    const narrowed = ['', 'sort=name', 'q=a', 'role=user'].filter((query) =>
      isNarrowed(readList(new URLSearchParams(query), kind)),
    )
    expect(narrowed).toEqual(['q=a', 'role=user'])
  })
})

describe('ADMIN-USERS-10: a selection outlives its page', () => {
  const [a, b, c] = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
  const chosen = toggled(toggled(new Map(), [a], true), [b, c], true)
  it('grows page by page', () => expect([...chosen.keys()]).toEqual(['a', 'b', 'c']))
  it('counts what is not on the screen', () => expect(countElsewhere(chosen, [b, c])).toBe(1))
  it('deselects the rows of one page only', () =>
    expect([...toggled(chosen, [b, c], false).keys()]).toEqual(['a']))
  it('loses what is settled', () => expect([...without(chosen, ['a', 'c']).keys()]).toEqual(['b']))
})
