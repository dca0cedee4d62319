import { expect, test } from 'vitest'
import { understood } from './meaning'

test('a text that was understood as it was typed needs no words', () => {
  expect(understood('peluquería', [])).toBeNull()
})

test('a corrected word stands in its place, one that nobody has is left out', () => {
  const meaning = [
    { typed: 'peluqeria', meant: 'peluquería' },
    { typed: 'xyzzy', meant: null },
  ]
  expect(understood('Peluqería, barata  xyzzy', meaning)).toEqual({
    text: 'peluquería barata',
    unknown: ['peluqeria', 'xyzzy'],
  })
})

test('nothing is left of a text of which nobody has a word', () => {
  expect(understood('xyzzy', [{ typed: 'xyzzy', meant: null }])).toEqual({
    text: '',
    unknown: ['xyzzy'],
  })
})
