// Unmodified supabase-js clients of realtime, and promises of what arrives.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'

const url = process.env.SUPABASE_URL
const patience = 20_000

/** A client of a visitor. vsn is the version of the protocol. */
export function visitor(vsn = '2.0.0', options = {}) {
  return createClient(url, process.env.SUPABASE_ANON_KEY, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { vsn, heartbeatIntervalMs: 500 },
    ...options,
  })
}

/** A client of a new user who is signed in. */
export async function member(vsn) {
  const supabase = visitor(vsn)
  await signUp(supabase)
  return supabase
}

/** Signs a client in as a new user. */
export async function signUp(supabase) {
  const { error } = await supabase.auth.signUp({ email: `${randomUUID()}@example.com`, password: 'Long-enough-1' })
  assert.equal(error, null)
}

export const newTopic = () => `team:${randomUUID()}`

/** Waits for a promise, with the name of what is waited for in the error. */
export function within(promise, what, milliseconds = patience) {
  let timer
  const late = new Promise((_, fail) => {
    timer = setTimeout(() => fail(new Error(`${what}: nothing within ${milliseconds} ms`)), milliseconds)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** Subscribes and waits for a status. */
export function subscribed(channel, status = 'SUBSCRIBED') {
  return within(
    new Promise((done, fail) => {
      channel.subscribe((now, error) => {
        if (now === status) done(error)
        else if (now !== 'CLOSED') fail(new Error(`${now}: ${error?.message}`))
      })
    }),
    `status ${status}`,
  )
}

/** What arrives, one after another: `next()` waits for it. */
export class Inbox {
  #messages = []
  #waiting = []

  put = (message) => {
    const waiting = this.#waiting.shift()
    if (waiting) waiting(message)
    else this.#messages.push(message)
  }

  next(what = 'a message') {
    if (this.#messages.length > 0) return Promise.resolve(this.#messages.shift())
    return within(new Promise((done) => this.#waiting.push(done)), what)
  }

  get size() {
    return this.#messages.length
  }
}

/** Waits until the client has no connection. */
export async function disconnected(supabase) {
  const end = Date.now() + patience
  while (supabase.realtime.isConnected() || supabase.realtime.connectionState() !== 'closed') {
    assert.ok(Date.now() < end, `still ${supabase.realtime.connectionState()}`)
    await new Promise((done) => setTimeout(done, 20))
  }
}
