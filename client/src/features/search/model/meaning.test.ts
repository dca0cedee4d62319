import { expect, test } from 'vitest'
import { understood } from './meaning'

test('a text that was understood as it was typed needs no words', () => {
  expect(understood('peluquería', [])).toBeNull()
})

test('replaces a corrected word and drops an unknown one', () => {
  const meaning = [
    { typed: 'peluqeria', meant: 'peluquería' },
    { typed: 'xyzzy', meant: null },
  ]
  expect(understood('Peluqería, barata  xyzzy', meaning)).toEqual({
    text: 'peluquería barata',
    unknown: ['peluqeria', 'xyzzy'],
  })
})

test('leaves nothing of a text without known words', () => {
  expect(understood('xyzzy', [{ typed: 'xyzzy', meant: null }])).toEqual({
    text: '',
    unknown: ['xyzzy'],
  })
})
