import { describe, expect, it } from 'vitest'
import { newest, parseRecent } from './recent'
import { recentOptions } from './suggestions'

const search = (findDesc: string, at: number, findLoc = '', category = '') => ({
  findDesc,
  findLoc,
  category,
  at,
})

describe('DATA-23: searches made before', () => {
  it('are the ten newest, each once, from here and from the account', () => {
    const here = Array.from({ length: 9 }, (_, index) => search(`here ${index}`, index))
    const there = [search('HERE 3', 100), search('there', 50), search('here 3', 40, 'Madrid')]
    expect(newest([...here, ...there]).map(({ findDesc, findLoc }) => findDesc + findLoc)).toEqual([
      'HERE 3',
      'there',
      'here 3Madrid',
      'here 8',
      'here 7',
      'here 6',
      'here 5',
      'here 4',
      'here 2',
      'here 1',
    ])
  })
  it('does not trust what is stored', () => {
    const good = search('spa', 1)
    const bad = [
      null,
      'spa',
      {},
      { ...good, at: 'now' },
      { ...good, findLoc: 3 },
      search('x'.repeat(101), 2),
    ]
    expect(parseRecent([...bad, good])).toEqual([good])
    for (const value of [null, 3, 'x', {}]) expect(parseRecent(value)).toEqual([])
  })
  it('say what and where, can be removed, and forgotten all at once', () => {
    const options = recentOptions(
      [search('corte', 2, 'Madrid', 'Hair Salons'), search('', 1, '', 'Pets')],
      'Clear',
    )
    expect(options.map(({ label, note, canRemove }) => [label, note, canRemove])).toEqual([
      ['corte', 'Hair Salons · Madrid', true],
      ['Pets', '', true],
      ['Clear', undefined, undefined],
    ])
    expect(recentOptions([], 'Clear')).toEqual([])
  })
})
