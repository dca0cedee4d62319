import { describe, expect, it } from 'vitest'
import { pageCount } from './page-count'
import { pageNumbers } from './page-numbers'

describe('SEARCH-07: first, last, two either side of the current page, gaps between', () => {
  const cases: [current: number, total: number, shown: string][] = [
    [1, 1, '1'],
    [1, 3, '1 2 3'],
    [1, 10, '1 2 3 … 10'],
    [4, 10, '1 2 3 4 5 6 … 10'],
    [5, 10, '1 … 3 4 5 6 7 … 10'],
    [7, 10, '1 … 5 6 7 8 9 10'],
    [10, 10, '1 … 8 9 10'],
    [50, 100, '1 … 48 49 50 51 52 … 100'],
  ]
  it.each(cases)('page %i of %i', (current, total, shown) => {
    const marks = pageNumbers(current, total).map((mark) => (mark === 'gap' ? '…' : mark))
    expect(marks.join(' ')).toBe(shown)
  })
})

it('SEARCH-06: 12 rows fill a page', () => {
  expect([0, 1, 12, 13, 24, 25].map((rows) => pageCount(rows, 12))).toEqual([1, 1, 1, 2, 2, 3])
})
