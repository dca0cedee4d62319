// The tables of search-queries.mjs and search-sentences.mjs, through the data API as the client
// uses it.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { alternatives, filtered, queries, refused } from './search-queries.mjs'
import { sentences } from './search-sentences.mjs'
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

for (const { desc, loc, ...must } of [...queries, ...sentences]) {
  test(`SEARCH-09: ${JSON.stringify(desc ?? '')}${loc ? ` in ${loc}` : ''} finds the expected results`, async () => {
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

const columns = 'id, name, latitude, longitude, price_from, sort_rating, ranking, created_at, amenities'
for (const { desc, filters, passes, by } of filtered) {
  test(`SEARCH-12: ${JSON.stringify({ ...(desc && { desc }), ...filters })} finds matching businesses`, async () => {
    const text = desc ? { find_desc: desc } : {}
    const ask = (terms) => client().rpc('best_businesses', terms, { get: true }).select(columns).eq('source', 'seeded')
    const [all, found] = await Promise.all([ask(text), ask({ ...text, ...filters })])
    assert.deepEqual([all.error, found.error], [null, null])
    if (passes) {
      const ids = new Set(found.data.map((shop) => shop.id))
      const wrong = all.data.filter((shop) => ids.has(shop.id) ? !passes(shop) : !filters.within_km && passes(shop))
      assert.deepEqual(wrong.map((shop) => shop.name), [])
    }
    if (by) assert.deepEqual(found.data.map(by), found.data.map(by).toSorted((a, b) => a - b))
    if (by) assert.equal(found.data.length, all.data.length)
  })
}

for (const { desc, loc, filters, lift, places } of alternatives) {
  test(`${desc} in ${loc}${filters ? ` with ${JSON.stringify(filters)}` : ''} has alternatives`, async () => {
    const { data, error } = await client().rpc('search_alternatives', { find_desc: desc, find_loc: loc, ...filters }, { get: true })
    assert.equal(error, null)
    assert.ok(data.some((one) => one.kind === 'filter' && one.target === lift && one.businesses > 0), JSON.stringify(data))
    const near = data.filter((one) => one.kind === 'place')
    if (places) assert.deepEqual(near.map((one) => one.target).slice(0, places.split(' ').length), places.split(' '))
    assert.deepEqual(near, near.toSorted((a, b) => a.distance_km - b.distance_km))
  })
}

for (const terms of refused) {
  test(`${JSON.stringify(terms)} is refused`, async () => {
    for (const name of ['best_businesses', 'promoted_businesses']) {
      const { error, status } = await client().rpc(name, terms, { get: true })
      assert.equal(status, 400, JSON.stringify(error))
    }
  })
}

for (const text of ['x'.repeat(10_000), '\u{1F487}', 'مدريد', '%', '_', "'\"`;--", '   ', '\u202Eabc', 'nowhere at all']) {
  test(`${JSON.stringify(text.slice(0, 20))} in every field is answered`, async () => {
    const terms = { find_desc: text, find_loc: text, category: text, with_amenities: [text] }
    const answers = await Promise.all([
      client().rpc('best_businesses', { ...terms, sort_by: 'distance', within_km: 5 }),
      client().rpc('count_businesses', terms),
      client().rpc('promoted_businesses', terms),
      client().rpc('search_alternatives', terms),
      client().rpc('suggest_places', { term: text }),
    ])
    assert.deepEqual(answers.map(({ error }) => error), answers.map(() => null))
  })
}
