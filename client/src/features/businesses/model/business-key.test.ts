import { describe, expect, it } from 'vitest'
import { keyFrom, movedTo } from './business-key'

const id = '0b0fd152-c595-446b-8b10-c5345a9813a2'

describe('BIZ-01, ROUTE-14: what a business is looked up by', () => {
  it.each([
    [id, 'id'],
    [id.toUpperCase(), 'id'],
    [`${id}0`, 'slug'],
    ['cabells-de-leixample', 'slug'],
    ['/barcelona/hair/B-000017/cabells', 'url_path'],
    ['B-000017', 'display_id'],
    ['B-1000017', 'display_id'],
    ['b-cool', 'slug'],
  ])('%s is a %s', (text, by) => {
    expect(keyFrom(text).by).toBe(by)
  })
})

describe('ROUTE-37, C-26: a migrated business', () => {
  const path = '/barcelona/hair/1/a'
  const business = { url_path: path, migrated_url: true }
  it('moves from another four-segment address to its own', () => {
    expect(movedTo(business, '/madrid/hair/1/a')).toBe(path)
  })
  it.each([path, '/business/a', '/biz/a'])('stays at %s', (pathname) => {
    expect(movedTo(business, pathname)).toBeNull()
  })
  it('stays when it was not migrated or has no path', () => {
    expect(movedTo({ ...business, migrated_url: false }, '/a/b/c/d')).toBeNull()
    expect(movedTo({ ...business, url_path: null }, '/a/b/c/d')).toBeNull()
  })
})
