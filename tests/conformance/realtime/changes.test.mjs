// Changes of tables and broadcasts of the database as unmodified supabase-js gets them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Inbox, member, newTopic, subscribed, visitor } from './kit.mjs'

/** Subscribes, and waits until every change from now on is told. */
async function listening(channel) {
  const ready = new Inbox()
  channel.on('system', {}, ready.put)
  await subscribed(channel)
  for (;;) {
    const { extension, status, message } = await ready.next('the subscription')
    if (extension !== 'postgres_changes') continue
    assert.deepEqual([status, message], ['ok', 'Subscribed to PostgreSQL'])
    return
  }
}

const must = ({ data, error }) => {
  assert.equal(error, null)
  return data
}

for (const vsn of ['1.0.0', '2.0.0']) {
  test(`${vsn}: owners, and nobody else, are told of their rows`, async () => {
    const [ana, bob] = [await member(vsn), await member(vsn)]
    const [mine, others, nobody] = [new Inbox(), new Inbox(), new Inbox()]
    const changes = { event: '*', schema: 'public', table: 'notes' }
    await listening(ana.channel('notes').on('postgres_changes', changes, mine.put))
    await listening(bob.channel('notes').on('postgres_changes', changes, others.put))
    const stranger = visitor(vsn)
    await listening(stranger.channel('notes').on('postgres_changes', { ...changes, event: 'INSERT' }, nobody.put))
    const note = must(await ana.from('notes').insert({ text: 'Água' }).select().single())
    const inserted = await mine.next()
    assert.deepEqual([inserted.eventType, inserted.schema, inserted.table, inserted.new, inserted.old, inserted.errors], ['INSERT', 'public', 'notes', note, {}, null])
    assert.ok(Math.abs(Date.parse(inserted.commit_timestamp) - Date.now()) < 60_000)
    must(await ana.from('notes').update({ done: true }).eq('id', note.id))
    const updated = await mine.next()
    assert.deepEqual([updated.eventType, updated.new, updated.old], ['UPDATE', { ...note, done: true }, { id: note.id }])
    must(await ana.from('notes').delete().eq('id', note.id))
    for (const inbox of [mine, others]) {
      const deleted = await inbox.next()
      assert.deepEqual([deleted.eventType, deleted.new, deleted.old], ['DELETE', {}, { id: note.id }])
    }
    const own = must(await bob.from('notes').insert({ text: 'mine' }).select().single())
    assert.deepEqual((await others.next()).new, own)
    assert.equal(nobody.size + mine.size, 0)
    await Promise.all([ana, bob, stranger].map((client) => client.removeAllChannels()))
  })

  test(`${vsn}: several listeners of a channel, with filters`, async () => {
    const ana = await member(vsn)
    const [inserts, done] = [new Inbox(), new Inbox()]
    await listening(
      ana
        .channel('several')
        .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'notes' }, inserts.put)
        .on('postgres_changes', { event: 'UPDATE', schema: 'public', table: 'notes', filter: 'done=eq.true' }, done.put),
    )
    const [first, second] = must(await ana.from('notes').insert([{ text: 'a' }, { text: 'b' }]).select())
    assert.deepEqual([(await inserts.next()).new.text, (await inserts.next()).new.text], ['a', 'b'])
    must(await ana.from('notes').update({ text: 'c' }).eq('id', first.id))
    must(await ana.from('notes').update({ done: true }).eq('id', second.id))
    assert.equal((await done.next()).new.id, second.id)
    assert.equal(inserts.size + done.size, 0)
    await ana.removeAllChannels()
  })
}

test('a trigger broadcasts to the private channel of the owner', async () => {
  const ana = await member()
  const { data } = await ana.auth.getUser()
  const inbox = new Inbox()
  const channel = ana.channel(`team:${data.user.id}`, { config: { private: true, broadcast: { replication_ready: true } } })
  const ready = new Inbox()
  channel.on('system', {}, ready.put).on('broadcast', { event: '*' }, inbox.put)
  await subscribed(channel)
  assert.equal((await ready.next()).message, 'Replication connection established')
  const note = must(await ana.from('notes').insert({ text: 'told' }).select().single())
  const message = await inbox.next()
  assert.deepEqual([message.event, message.payload.operation, message.payload.record, message.payload.old_record], ['INSERT', 'INSERT', note, null])
  assert.match(message.meta.id, /^[0-9a-f-]{36}$/)

  // Who comes later gets what was sent before.
  await ana.removeAllChannels()
  const replayed = new Inbox()
  const again = ana.channel(`team:${data.user.id}`, { config: { private: true, broadcast: { replay: { since: Date.now() - 60_000, limit: 1 } } } })
  await subscribed(again.on('broadcast', { event: 'INSERT' }, replayed.put))
  const old = await replayed.next()
  assert.deepEqual([old.payload.record, old.meta], [note, { replayed: true, id: message.meta.id }])
  await ana.removeAllChannels()
})

test('a table that is not published says so', async () => {
  const supabase = visitor()
  const told = new Inbox()
  await subscribed(supabase.channel('x').on('system', {}, told.put).on('postgres_changes', { event: '*', schema: 'public', table: 'nothing' }, () => undefined))
  const { status, message } = await told.next()
  assert.equal(status, 'error')
  assert.match(message, /Please check Realtime is enabled for the given connect parameters: \[event: \*, schema: public, table: nothing/)
  await supabase.removeAllChannels()
})

test('a subscription that waits misses nothing once it has subscribed', async () => {
  const ana = await member()
  for (let n = 0; n < 20; n++) {
    const inbox = new Inbox()
    const channel = ana.channel(`waiting ${n}`, { config: { postgres_changes_options: { wait: true } } })
    await subscribed(channel.on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'notes' }, inbox.put))
    const note = must(await ana.from('notes').insert({ text: 'at once' }).select().single())
    assert.deepEqual((await inbox.next()).new, note)
    await ana.removeChannel(channel)
  }
  const failed = ana.channel('nothing', { config: { postgres_changes_options: { wait: true } } })
  const error = await subscribed(failed.on('postgres_changes', { event: '*', schema: 'public', table: 'unknown' }, () => {}), 'CHANNEL_ERROR')
  assert.match(error.message, /^RealtimeDisabledForConfiguration: /)
  await ana.removeAllChannels()
})

test('a broadcast that is stored is replayed to those who come later', async () => {
  const [ana, bob] = [await member(), await member()]
  const topic = newTopic()
  const sender = ana.channel(topic, { config: { private: true, broadcast: { ack: true } } })
  await subscribed(sender)
  assert.equal(await sender.send({ type: 'broadcast', event: 'e', payload: { n: 1 }, persist: true }), 'ok')
  assert.equal(await sender.send({ type: 'broadcast', event: 'e', payload: { n: 2 } }), 'ok')
  assert.deepEqual(await sender.httpSend('e', { n: 3 }, { persist: { ttl: 60 } }), { success: true })
  assert.match(await sender.send({ type: 'broadcast', event: 'e', payload: {}, persist: { ttl: 0 } }), /^InvalidPersist: /)
  const replayed = new Inbox()
  const late = bob.channel(topic, { config: { private: true, broadcast: { replay: { since: Date.now() - 60_000 } } } })
  await subscribed(late.on('broadcast', { event: 'e' }, replayed.put))
  for (const n of [1, 3]) {
    const { payload, meta } = await replayed.next()
    assert.deepEqual([payload, meta.replayed], [{ n }, true])
  }
  await Promise.all([ana, bob].map((client) => client.removeAllChannels()))
})
