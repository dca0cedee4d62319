import { expect, test } from 'vitest'
import { sizeText } from './schema'

test.each([
  [0, '0 B'],
  [512, '512 B'],
  [8192, '8 KB'],
  [1536, '1.5 KB'],
  [12_345_678, '12 MB'],
  [5 * 1024 ** 4, '5 TB'],
])('%i bytes are %s', (bytes, text) => expect(sizeText(bytes)).toBe(text))
