import { describe, expect, it } from 'vitest'
import { topCategories } from '@/features/directory/model/categories'
import vectors from './testdata/tile-vectors.json'
import { fnv1a, tileCategories, tileSpec } from './tile-spec'
import { tileSvg } from './tile-svg'

describe('a tile', () => {
  it('hashes as FNV-1a does', () => {
    expect(fnv1a('')).toBe(0x811c9dc5)
    expect(fnv1a('a')).toBe(0xe40c292c)
    expect(fnv1a('foobar')).toBe(0xbf9cf968)
  })

  it.each(vectors)('is the same as on the server: $category/$id', (vector) => {
    const { motif, colors, scale } = tileSpec(vector.category, vector.id)
    const hash = fnv1a(`${vector.category}/${vector.id}`)
    expect({ ...vector, hash, motif, colors: [...colors], scale }).toEqual(vector)
  })

  it('has a palette for each of the 21 top categories', () => {
    expect(tileCategories).toEqual(topCategories.map((category) => category.code).sort())
    const palettes = new Set(tileCategories.map((code) => tileSpec(code).colors.join()))
    expect(palettes.size).toBe(21)
  })

  it('stays under 2 KB in every category and order of colours', () => {
    for (const category of tileCategories) {
      for (let id = 0; id < 40; id++) {
        expect(tileSvg(tileSpec(category, String(id))).length).toBeLessThan(2048)
      }
    }
  })

  it('differs among businesses of one category', () => {
    const looks = Array.from({ length: 40 }, (_, id) => tileSvg(tileSpec('beautysvc', `b${id}`)))
    expect(new Set(looks).size).toBeGreaterThan(8)
  })

  it('draws something for a category it has never heard of', () => {
    expect(tileSpec('puppet-theatre', 'x').shapes.length).toBeGreaterThan(0)
  })
})
