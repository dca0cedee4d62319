// A project folder written for Supabase's own stack, served unchanged.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { createClient } from '@supabase/supabase-js'
import { eventually } from '../eventually.mjs'

const { SUPABASE_URL: url, SUPABASE_ANON_KEY: anonKey, SUPABASE_SERVICE_ROLE_KEY: serviceKey } = process.env
const client = (key = anonKey) => createClient(url, key, { auth: { persistSession: false, autoRefreshToken: false } })
const succeed = ({ data, error }) => {
  assert.equal(error, null)
  return data
}
const report = async (name) => succeed(await client(serviceKey).schema('reports').rpc(name))

async function member(name) {
  const supabase = client()
  const email = `${randomUUID()}@example.com`
  const { user, session } = succeed(await supabase.auth.signUp({ email, password: 'secret1', options: { data: { full_name: name } } }))
  assert.equal(session.expires_in, 1800, 'jwt_expiry of config.toml')
  return { supabase, id: user.id }
}

let ana
before(async () => {
  ana = await member('Ana')
})

describe('config.toml', () => {
  test('max_rows cuts a list, schemas says which are exposed', async () => {
    assert.equal(succeed(await client().from('plots').select('id')).length, 3)
    assert.deepEqual(succeed(await client().schema('reports').from('crops').select()), [{ crop: 'beans', plantings: 1 }])
    assert.equal((await client().schema('storage').from('buckets').select()).error.code, 'PGRST106')
  })
  test('a password shorter than minimum_password_length is refused', async () => {
    const { error } = await client().auth.signUp({ email: `${randomUUID()}@example.com`, password: 'short' })
    assert.equal(error.code, 'weak_password')
  })
})

describe('accounts', () => {
  test('handle_new_user made the profile', async () => {
    assert.deepEqual(succeed(await ana.supabase.from('profiles').select('full_name, role').eq('id', ana.id).single()), { full_name: 'Ana', role: 'gardener' })
  })
  test('auth.uid() policies: her own profile only; moddatetime noted it', async () => {
    const mine = succeed(await ana.supabase.from('profiles').update({ username: 'Ana-Gardens' }).eq('id', ana.id).select('updated_at').single())
    assert.ok(mine.updated_at)
    const theirs = succeed(await ana.supabase.from('profiles').update({ full_name: 'x' }).neq('id', ana.id).select())
    assert.deepEqual(theirs, [])
    assert.equal(succeed(await client().from('profiles').select('id').eq('username', 'ANA-GARDENS')).length, 1, 'citext')
  })
  test('the account of seed.sql signs in and is a warden', async () => {
    const supabase = client()
    const { user } = succeed(await supabase.auth.signInWithPassword({ email: 'warden@example.com', password: 'password123' }))
    assert.equal(user.user_metadata.full_name, 'Wanda Warden')
    assert.equal(succeed(await supabase.rpc('is_warden')), true)
    assert.equal(succeed(await ana.supabase.rpc('is_warden')), false)
    assert.equal(succeed(await supabase.from('plots').update({ width: 3 }).eq('name', 'North wall').select('area').single()).area, 18)
  })
})

describe('tables, views and functions', () => {
  test('a security_invoker view and a search by trigrams', async () => {
    assert.deepEqual(succeed(await client().from('free_plots').select('name, area').eq('name', 'Orchard corner')), [{ name: 'Orchard corner', area: 10 }])
    assert.equal(succeed(await client().rpc('search_plots', { term: 'pond' }))[0].name, 'Pond side')
  })
  test('a plot is taken once; the outside and the topic are told', async () => {
    const [plot] = succeed(await client().from('plots').select('id').eq('name', 'Pond side'))
    const taken = succeed(await ana.supabase.rpc('take_plot', { plot: plot.id }))
    assert.deepEqual(taken.map(({ state, gardener_id }) => [state, gardener_id]), [['taken', ana.id]])
    assert.deepEqual(succeed(await (await member('Ben')).supabase.rpc('take_plot', { plot: plot.id })), [])

    const planted = succeed(await ana.supabase.from('plantings').insert({ plot_id: plot.id, crop: 'kale' }).select('crop, plots(name, profiles(full_name))').single())
    assert.deepEqual(planted, { crop: 'kale', plots: { name: 'Pond side', profiles: { full_name: 'Ana' } } })
    const arrived = (expected, is) => eventually(expected, async () => (await report('arrived')).some(is))
    await arrived('a request of pg_net', ({ hook_key, body }) => hook_key === 's3cret' && body.plot === 'Pond side')
    await arrived('a webhook', ({ body }) => body.type === 'INSERT' && body.record?.crop === 'kale')
    assert.ok((await report('broadcasts')).includes('UPDATE'))
  })
  test('rows of others are hidden or refused', async () => {
    assert.deepEqual(succeed(await client().from('plantings').select()), [])
    const [plot] = succeed(await client().from('plots').select('id').eq('name', 'Shed row'))
    assert.equal((await ana.supabase.from('plantings').insert({ plot_id: plot.id, crop: 'weeds' })).error.code, '42501')
  })
  test('storage, the publication, planned jobs and tokens made in SQL are there', async () => {
    assert.deepEqual(await report('buckets'), ['papers', 'photos'])
    assert.deepEqual(await report('published'), ['plots'])
    assert.deepEqual(await report('jobs'), ['refresh-crops'])
    assert.equal(await report('signed'), 'plot')
  })
  test('a statement waits for the response to a request', async () => {
    assert.deepEqual(succeed(await client().rpc('ask', { plot: 'Orchard corner' })), [{ name: 'Orchard corner' }])
  })
  test('GraphQL says plainly that it is not there', async () => {
    const answer = succeed(await client().schema('graphql_public').rpc('graphql', { query: '{ __typename }' }))
    assert.match(answer.errors[0].message, /pg_graphql/)
  })
})

describe('vectors', () => {
  const guides = () => client(serviceKey).from('guides')
  before(async () => {
    const embeddings = { Roses: [1, 0, 0], Compost: [0.6, 0.8, 0], Ponds: '[0,0,1]' }
    for (const [title, embedding] of Object.entries(embeddings)) succeed(await guides().insert({ title, embedding }).select())
  })
  test('a function finds the nearest rows', async () => {
    const found = succeed(await client().rpc('match_guides', { query_embedding: [1, 0, 0], match_threshold: 0.5, match_count: 5 }))
    assert.deepEqual(found.map(({ title, similarity }) => [title, Math.round(similarity * 1e6) / 1e6]), [['Roses', 1], ['Compost', 0.6]])
    const nearest = succeed(await client().rpc('match_guides', { query_embedding: '[0,0.1,1]', match_threshold: 0, match_count: 1 }))
    assert.equal(nearest[0].title, 'Ponds')
  })
  test('a value is written as pgvector writes it', async () => {
    assert.deepEqual(succeed(await client().from('guides').select('embedding').order('title')).map(({ embedding }) => embedding), ['[0.6,0.8,0]', '[0,0,1]', '[1,0,0]'])
  })
  test('another number of dimensions is refused', async () => {
    assert.equal((await guides().insert({ title: 'x', embedding: [1, 2] })).error.message, 'expected 3 dimensions, not 2')
    assert.equal((await guides().update({ embedding: 'none' }).eq('title', 'Roses')).error.code, '22P02')
  })
})

describe('queues', () => {
  const queue = (key) => (name, args) => client(key).schema('pgmq_public').rpc(name, { queue_name: 'watering', ...args })
  const service = queue(serviceKey)
  test('messages are sent, read, archived, popped and deleted', async () => {
    const [id] = succeed(await service('send', { message: { plot: 1 } }))
    const rest = succeed(await service('send_batch', { messages: [{ plot: 2 }, { plot: 3 }], sleep_seconds: 0 }))
    assert.equal(rest.length, 2)
    const [first] = succeed(await service('read', { sleep_seconds: 60, n: 1 }))
    assert.deepEqual([first.msg_id, first.read_ct, first.message], [id, 1, { plot: 1 }])
    assert.equal(succeed(await service('archive', { message_id: id })), true)
    assert.deepEqual(succeed(await service('pop')).map(({ message }) => message), [{ plot: 2 }])
    assert.equal(succeed(await service('delete', { message_id: rest[1] })), true)
    assert.equal(succeed(await service('delete', { message_id: rest[1] })), false)
    assert.deepEqual(succeed(await service('read', { sleep_seconds: 0, n: 10 })), [])
  })
  test('a role has the rights that its grants on the queue give', async () => {
    const gardener = (name, args) => ana.supabase.schema('pgmq_public').rpc(name, { queue_name: 'watering', ...args })
    succeed(await gardener('send', { message: { plot: 4 } }))
    assert.equal((await gardener('pop')).error.code, '42501')
    assert.equal((await queue(anonKey)('send', { message: {} })).error.code, '42501')
  })
})

test('the start names each extension that is only stood in for', () => {
  for (const name of ['pg_cron', 'pg_net', 'supabase_vault', 'pgjwt', 'http', 'pg_graphql', 'vector', 'pgmq']) {
    assert.match(process.env.PLAZA_LOG, new RegExp(`migrations/\\d+_\\w+\\.sql:\\d+: this PostgreSQL does not provide the extension \\\\?"${name}`))
  }
})

describe('generated types', () => {
  const types = (key, query = '') => fetch(`${url}/pg/generators/typescript?included_schemas=public${query}`, { headers: { apikey: key } })
  test('the service role reads them where Supabase has postgres-meta', async () => {
    const text = await (await types(serviceKey, '&detect_one_to_one_relationships=true')).text()
    assert.match(text, /^export type Json =/)
    assert.match(text, /\n {6}plot_state: "free" \| "taken" \| "resting"\n/)
    assert.doesNotMatch(text, /\n {2}reports: \{/)
    const relationship = /\n +columns: \[.*\]\n +isOneToOne: / // functions have isOneToOne, too
    assert.match(text, relationship)
    assert.doesNotMatch(await (await types(serviceKey)).text(), relationship)
  })
  test('anon does not', async () => {
    const answer = await types(anonKey)
    assert.equal(answer.status, 403)
    assert.doesNotMatch(await answer.text(), /export type/)
  })
})
