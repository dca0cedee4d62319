// Accounts for the suites on second factors and passkeys.
import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'
import { letterTo } from '../inbox.mjs'

export const url = process.env.SUPABASE_URL
export const key = process.env.SUPABASE_ANON_KEY
export const password = 'Long-enough-1'

function storage() {
  const items = new Map()
  return { getItem: (name) => items.get(name) ?? null, setItem: (name, value) => items.set(name, value), removeItem: (name) => items.delete(name) }
}

export const client = (auth = {}) =>
  createClient(url, key, {
    auth: {
      autoRefreshToken: false,
      detectSessionInUrl: false,
      storage: storage(),
      storageKey: randomUUID(),
      experimental: { recoveryCodes: true },
      ...auth,
    },
  })

export const succeed = ({ data, error }) => {
  assert.equal(error, null)
  return data
}

export const refused = ({ error }, status, code) => {
  assert.equal(error?.status, status, error?.message)
  assert.equal(error.code, code)
}

/** A confirmed account, signed in with its password. */
export async function member() {
  const supabase = client()
  const email = `${randomUUID()}@example.com`
  succeed(await supabase.auth.signUp({ email, password }))
  succeed(await supabase.auth.verifyOtp({ email, token: (await letterTo(email)).code, type: 'email' }))
  const { user } = await signIn(supabase, email)
  return { supabase, email, id: user.id }
}

export const signIn = async (supabase, email) => succeed(await supabase.auth.signInWithPassword({ email, password }))

/** The code of an authenticator app, so many half minutes from now. */
export function totp(secret, steps = 0) {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...secret].map((char) => alphabet.indexOf(char).toString(2).padStart(5, '0')).join('')
  const seed = Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2)))
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps))
  const mac = createHmac('sha1', seed).update(step).digest()
  return String((mac.readUInt32BE(mac[19] & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** A client of an administrator. */
export const admin = () => createClient(url, process.env.SUPABASE_SERVICE_ROLE_KEY, { auth: { persistSession: false, autoRefreshToken: false, storageKey: randomUUID() } })

export const level = async (supabase) => succeed(await supabase.auth.mfa.getAuthenticatorAssuranceLevel())
