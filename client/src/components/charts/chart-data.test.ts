import { describe, expect, it } from 'vitest'
import { figureText, labelledRows, totalOf } from './chart-data'

const series = [
  { key: 'done', label: 'Completed', tone: 'success' },
  { key: 'open', label: 'Open', tone: 'primary' },
] as const
const rowsOf = (...totals: number[]) =>
  totals.map((total) => ({ name: String(total), values: { done: total } }))

describe('charts', () => {
  it('sums the series of a row; one without a figure counts 0', () => {
    expect(totalOf({ name: 'a', values: { done: 2, open: 3 } }, series)).toBe(5)
    expect(totalOf({ name: 'a', values: { done: 2 } }, series)).toBe(2)
    expect(totalOf({ name: 'a', values: { other: 9 } }, series)).toBe(0)
  })

  it('labels all rows that have something, where there is room', () => {
    expect([...labelledRows({ series, rows: rowsOf(1, 0, 3) }, 2, false)]).toEqual([0, 2])
    expect([...labelledRows({ series, rows: [] }, 2, true)]).toEqual([])
  })

  it('labels the highest, the earlier of equals, and the last where asked', () => {
    expect([...labelledRows({ series, rows: rowsOf(1, 3, 3, 2) }, 2, false)]).toEqual([1])
    expect([...labelledRows({ series, rows: rowsOf(1, 3, 3, 2) }, 2, true)]).toEqual([1, 3])
  })

  it('says where a row has no figure, and labels the last one that has', () => {
    const rows = [...rowsOf(1, 3, 2), { name: 'none', values: { done: null } }]
    expect([...labelledRows({ series, rows }, 2, true)]).toEqual([1, 2])
    const chart = { format: (value: number) => `${value}!` }
    expect(rows.map((row) => figureText(chart, row, 'done'))).toEqual(['1!', '3!', '2!', '–'])
  })
})
