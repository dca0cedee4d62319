// Channels as unmodified supabase-js uses them, in both versions of the protocol. The first nine
// do what supabase-js' own live tests do.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { disconnected, Inbox, member, newTopic, signUp, subscribed, visitor, within } from './kit.mjs'

for (const vsn of ['1.0.0', '2.0.0']) {
  test(`${vsn}: a private broadcast comes back and is acknowledged`, async () => {
    const supabase = await member(vsn)
    const channel = supabase.channel(newTopic(), { config: { private: true, broadcast: { ack: true, self: true } } })
    const inbox = new Inbox()
    channel.on('broadcast', { event: 'test' }, inbox.put)
    await subscribed(channel)
    assert.equal(await channel.send({ type: 'broadcast', event: 'test', payload: { message: 'hello' } }), 'ok')
    const message = await inbox.next()
    assert.deepEqual([message.type, message.event, message.payload], ['broadcast', 'test', { message: 'hello' }])
    await supabase.removeAllChannels()
  })

  test(`${vsn}: the connection stays when channels are switched`, async () => {
    const supabase = visitor(vsn)
    const first = supabase.channel(newTopic())
    await subscribed(first)
    assert.equal(await supabase.removeChannel(first), 'ok')
    const second = supabase.channel(newTopic())
    await subscribed(second)
    assert.ok(supabase.realtime.isConnected())
    await supabase.removeAllChannels()
  })

  for (const [name, leave] of [
    ['removeChannel', (supabase, channel) => supabase.removeChannel(channel)],
    ['unsubscribe', (_, channel) => channel.unsubscribe()],
    ['removeAllChannels', (supabase) => supabase.removeAllChannels()],
  ]) {
    test(`${vsn}: the client disconnects after ${name}`, async () => {
      const supabase = visitor(vsn)
      const channels = [supabase.channel(newTopic()), supabase.channel(newTopic())]
      await Promise.all((name === 'removeAllChannels' ? channels : channels.slice(1)).map((channel) => subscribed(channel)))
      if (name !== 'removeAllChannels') await supabase.removeChannel(channels[0])
      await leave(supabase, channels[1])
      await disconnected(supabase)
    })
  }

  test(`${vsn}: httpSend reaches public and private channels`, async () => {
    const supabase = await member(vsn)
    for (const isPrivate of [false, true]) {
      const channel = supabase.channel(newTopic(), { config: { private: isPrivate } })
      const inbox = new Inbox()
      channel.on('broadcast', { event: 'test' }, inbox.put)
      await subscribed(channel)
      assert.deepEqual(await channel.httpSend('test', { n: 1 }), { success: true })
      assert.deepEqual((await inbox.next()).payload, { n: 1 })
    }
    await supabase.removeAllChannels()
  })

  test(`${vsn}: presence is seen, changed and left`, async () => {
    const topic = newTopic()
    const [ana, bob] = [await member(vsn), visitor(vsn)]
    const seen = bob.channel(topic, { config: { presence: { key: 'bob' } } })
    const inbox = new Inbox()
    for (const event of ['sync', 'join', 'leave']) {
      seen.on('presence', { event }, (change) => inbox.put([event, change?.key, Object.keys(seen.presenceState())]))
    }
    await subscribed(seen)
    assert.deepEqual(await inbox.next(), ['sync', undefined, []])
    const tracked = ana.channel(topic, { config: { presence: { key: 'ana' } } })
    await subscribed(tracked)
    assert.equal(await tracked.track({ at: 1 }), 'ok')
    assert.deepEqual((await inbox.next()).slice(0, 2), ['join', 'ana'])
    assert.deepEqual(await inbox.next(), ['sync', undefined, ['ana']])
    assert.equal(seen.presenceState().ana[0].at, 1)
    assert.equal(await tracked.track({ at: 2 }), 'ok')
    assert.deepEqual([(await inbox.next())[0], (await inbox.next())[0], (await inbox.next())[0]], ['join', 'leave', 'sync'])
    assert.equal(seen.presenceState().ana[0].at, 2)
    assert.equal(await tracked.untrack(), 'ok')
    assert.deepEqual((await inbox.next()).slice(0, 2), ['leave', 'ana'])
    assert.deepEqual(await inbox.next(), ['sync', undefined, []])
    await Promise.all([ana.removeAllChannels(), bob.removeAllChannels()])
  })

  test(`${vsn}: who may not listen is refused, and may after signing in`, async () => {
    const supabase = visitor(vsn)
    const topic = newTopic()
    const channel = supabase.channel(topic, { config: { private: true } })
    const inbox = new Inbox()
    channel.subscribe((status, error) => inbox.put([status, error?.message]))
    const [status, why] = await inbox.next()
    assert.equal(status, 'CHANNEL_ERROR')
    assert.match(why, new RegExp(`You do not have permissions to read from this Channel topic: ${topic}`))
    await signUp(supabase)
    // realtime-js joins again by itself.
    while ((await inbox.next('the join after signing in'))[0] !== 'SUBSCRIBED');
    await supabase.removeAllChannels()
  })
}

test('bytes reach a private channel by HTTP', async () => {
  const supabase = await member()
  const channel = supabase.channel(newTopic(), { config: { private: true } })
  const inbox = new Inbox()
  channel.on('broadcast', { event: 'bytes' }, inbox.put)
  await subscribed(channel)
  assert.deepEqual(await channel.httpSend('bytes', new Uint8Array([0, 255, 7]).buffer), { success: true })
  assert.deepEqual([...new Uint8Array((await inbox.next()).payload)], [0, 255, 7])
  await supabase.removeAllChannels()
})

test('bytes reach others by the WebSocket', async () => {
  const topic = newTopic()
  const [sender, receiver] = [visitor(), visitor()]
  const inbox = new Inbox()
  const from = sender.channel(topic, { config: { broadcast: { ack: true } } })
  const to = receiver.channel(topic).on('broadcast', { event: 'bytes' }, inbox.put)
  await Promise.all([subscribed(from), subscribed(to)])
  assert.equal(await from.send({ type: 'broadcast', event: 'bytes', payload: new Uint8Array([1, 2]).buffer }), 'ok')
  assert.deepEqual([...new Uint8Array((await inbox.next()).payload)], [1, 2])
  await Promise.all([sender.removeAllChannels(), receiver.removeAllChannels()])
})

test('a channel that is not joined sends by the batch call', async () => {
  const topic = newTopic()
  const supabase = visitor()
  const inbox = new Inbox()
  await subscribed(supabase.channel(topic).on('broadcast', { event: 'e' }, inbox.put))
  const other = visitor()
  assert.equal(await other.channel(topic).send({ type: 'broadcast', event: 'e', payload: { n: 1 } }), 'ok')
  assert.deepEqual((await inbox.next()).payload, { n: 1 })
  await supabase.removeAllChannels()
})

test('a token of another issuer with the project secret', async () => {
  const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const now = Math.floor(Date.now() / 1000)
  const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ sub: '1234567890', role: 'anon', iss: 'supabase-demo', iat: now, exp: now + 3600 })}`
  const token = `${text}.${createHmac('sha256', process.env.JWT_SECRET).update(text).digest('base64url')}`
  const supabase = visitor('2.0.0', { auth: undefined, accessToken: () => Promise.resolve(token) })
  await within(subscribed(supabase.channel(newTopic())), 'the join', 4000)
  await supabase.removeAllChannels()
})

test('pages of any origin may send broadcasts', async () => {
  const response = await fetch(`${process.env.SUPABASE_URL}/realtime/v1/api/broadcast`, {
    method: 'OPTIONS',
    headers: { Origin: 'https://example.com', 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'apikey, authorization' },
  })
  assert.ok(response.ok)
  assert.equal(response.headers.get('access-control-allow-origin'), '*')
  assert.match(response.headers.get('access-control-allow-headers'), /apikey/i)
})
