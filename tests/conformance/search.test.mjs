// The table of search-queries.mjs, through the data API as the client asks.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { queries } from './search-queries.mjs'
import { client } from './users.mjs'

let shops = []
let partOf = new Map()
before(async () => {
  const { data: places } = await client().from('cities').select('slug, part_of')
  partOf = new Map(places.map((place) => [place.slug, place.part_of]))
  const { data, error } = await client()
    .from('businesses')
    .select('id, name, category_code, city_slug, services(name)')
    .eq('source', 'seeded')
  assert.equal(error, null)
  shops = data
})

const isAt = (shop, place) => shop.city_slug === place || partOf.get(shop.city_slug) === place
const sells = (shop, service) => shop.services.some(({ name }) => name === service)
const isOf = (shop, categories) => categories.split(' ').includes(shop.category_code)
const label = (shop) => `${shop.name} (${shop.category_code}, ${shop.city_slug})`

for (const { desc, loc, ...must } of queries) {
  test(`SEARCH-09: ${JSON.stringify(desc ?? '')}${loc ? ` in ${loc}` : ''} finds what is meant`, async () => {
    const terms = { ...(desc && { find_desc: desc }), ...(loc && { find_loc: loc }) }
    const { data, error } = await client()
      .rpc('best_businesses', terms, { get: true })
      .select('id, name, category_code, city_slug, services(name)')
      .eq('source', 'seeded')
    assert.equal(error, null)
    const found = new Set(data.map((shop) => shop.id))
    const expected = shops.filter(
      (shop) =>
        (must.place === undefined || isAt(shop, must.place)) &&
        (must.everybody || (must.sells && sells(shop, must.sells)) || (must.all && isOf(shop, must.all))),
    )
    const missing = expected.filter((shop) => !found.has(shop.id))
    assert.deepEqual(missing.map(label), [], 'not found')
    if (must.none) assert.deepEqual(data.map(label), [])
    else assert.ok(data.length > 0, 'nothing found')
    if (must.place) assert.deepEqual(data.filter((shop) => !isAt(shop, must.place)).map(label), [], 'elsewhere')
    if (must.only) {
      const others = data.filter((shop) => !isOf(shop, must.only) && !(must.sells && sells(shop, must.sells)))
      assert.deepEqual(others.map(label), [], 'not meant')
    }
    if (must.first) assert.ok(isOf(data[0], must.first), `${label(data[0])} leads`)
    if (must.name) assert.ok(data[0].name.includes(must.name), `${label(data[0])} leads`)
  })
}
