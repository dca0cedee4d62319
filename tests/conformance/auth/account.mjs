// Helpers of the auth server's suites: clients, accounts, mails, and assertions on responses.
import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'
import { inboxAt } from '../inbox.mjs'

export const password = 'Long-enough-1'
export const newPassword = 'Longer-still-2'

export const newAddress = () => `${randomUUID()}@example.com`
export const newNumber = () => `3766${String(Math.random()).slice(2, 10)}`

/** Storage of one browser, which a PKCE flow needs to find its verifier again. */
function storage() {
  const items = new Map()
  return { getItem: (name) => items.get(name) ?? null, setItem: (name, value) => items.set(name, value), removeItem: (name) => items.delete(name) }
}

export const succeed = ({ data, error }) => {
  assert.equal(error, null)
  return data
}

export const refused = ({ error }, status, code) => {
  assert.equal(error?.status, status, error?.message)
  assert.equal(error.code, code)
  return error
}

export const claimsOf = (token) => JSON.parse(Buffer.from(token.split('.')[1], 'base64url'))
export const headOf = (token) => JSON.parse(Buffer.from(token.split('.')[0], 'base64url'))

export const level = async (supabase) => succeed(await supabase.auth.mfa.getAuthenticatorAssuranceLevel())

/** Fills in a page's form and presses its button. */
export async function submit(page, action, pressed = {}) {
  assert.equal(page.status, 200)
  const fields = [...(await page.text()).matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)]
  const form = new URLSearchParams(fields.map(([, name, value]) => [name, value.replaceAll('&amp;', '&').replaceAll('&#43;', '+')]))
  for (const [name, value] of Object.entries(pressed)) form.set(name, value)
  const answer = await fetch(new URL(action, page.url), { method: 'POST', body: form, redirect: 'manual' })
  assert.equal(answer.status, 303)
  return answer.headers.get('location')
}

/** Follows a mailed link: the page opens, its button is pressed. */
export const press = async (link) => new URL(await submit(await fetch(link), 'verify'))

/** The code of an authenticator app, `steps` half minutes from now. */
export function totp(secret, steps = 0) {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...secret].map((char) => alphabet.indexOf(char).toString(2).padStart(5, '0')).join('')
  const seed = Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2)))
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps))
  const mac = createHmac('sha1', seed).update(step).digest()
  return String((mac.readUInt32BE(mac[19] & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** A server's clients and accounts. */
export function at({ url, key, serviceKey }) {
  const inbox = inboxAt(url)

  const client = (auth = {}, apiKey = key) =>
    createClient(url, apiKey, {
      auth: {
        autoRefreshToken: false,
        detectSessionInUrl: false,
        storage: storage(),
        storageKey: randomUUID(),
        experimental: { recoveryCodes: true },
        ...auth,
      },
    })

  /** A client of an administrator. */
  const admin = () => client({ persistSession: false }, serviceKey)

  const signIn = async (supabase, email) => succeed(await supabase.auth.signInWithPassword({ email, password }))

  /** A confirmed account, signed in with its password. */
  async function member({ email = newAddress(), auth } = {}) {
    const supabase = client(auth)
    succeed(await client().auth.signUp({ email, password, options: { data: { full_name: 'Núria Test' } } }))
    succeed(await client().auth.verifyOtp({ email, token: (await inbox.letterTo(email)).code, type: 'email' }))
    const { user, session } = await signIn(supabase, email)
    return { supabase, email, id: user.id, user, session }
  }

  /** One request without a client: its status, headers, text and JSON. */
  async function send(line, { body, as = key, ...headers } = {}) {
    const [method, path] = line.split(' ')
    const answer = await fetch(`${url}/auth/v1${path}`, {
      method,
      redirect: 'manual',
      headers: { apikey: key, authorization: `Bearer ${as}`, 'content-type': 'application/json', ...headers },
      body: typeof body === 'object' && !Buffer.isBuffer(body) ? JSON.stringify(body) : body,
    })
    const text = await answer.text()
    const isJSON = answer.headers.get('content-type')?.startsWith('application/json')
    return { status: answer.status, headers: answer.headers, text, json: isJSON ? JSON.parse(text) : undefined }
  }

  return { url, key, serviceKey, ...inbox, client, admin, signIn, member, send }
}

export const { url, key, serviceKey, client, admin, signIn, member, send, mailsTo, letterTo } = at({
  url: process.env.SUPABASE_URL,
  key: process.env.SUPABASE_ANON_KEY,
  serviceKey: process.env.SUPABASE_SERVICE_ROLE_KEY,
})
