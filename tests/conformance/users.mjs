// Visitors, new users and the demo accounts, as unmodified supabase-js clients.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'
import { letterTo } from './inbox.mjs'

const url = process.env.SUPABASE_URL
const options = { auth: { persistSession: false, autoRefreshToken: false } }

/** A visitor: a client with the anon key. */
export const client = () => createClient(url, process.env.SUPABASE_ANON_KEY, options)

/** An operator's client: it bypasses all policies. */
export const service = () => createClient(url, process.env.SUPABASE_SERVICE_ROLE_KEY, options)

/** A signed-in client of a new, confirmed user. */
export async function newUser() {
  const supabase = client()
  const email = `${randomUUID()}@example.com`
  const password = 'Long-enough-1'
  const signedUp = await supabase.auth.signUp({ email, password, options: { data: { full_name: 'Núria Test' } } })
  assert.equal(signedUp.error, null)
  assert.equal(signedUp.data.session, null, 'the address has to be confirmed first')
  const { code: token } = await letterTo(email)
  const confirmed = await supabase.auth.verifyOtp({ email, token, type: 'signup' })
  assert.equal(confirmed.error, null)
  return signIn(email, password, supabase)
}

/** A signed-in client of a demo account: 'admin', 'owner' or 'user'. */
export const demo = (name) => signIn(`${name}@plaza.test`, 'Plaza-demo-1', client())

async function signIn(email, password, supabase) {
  const { data, error } = await supabase.auth.signInWithPassword({ email, password })
  assert.equal(error, null)
  return { supabase, id: data.user.id, email }
}

/** A business with a service and a free slot a week ahead or a little later. */
export async function freeSlot(supabase, businesses) {
  for (let days = 7; days < 14; days++) {
    const date = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    for (const business of businesses) {
      for (const service of business.services) {
        const { data: slots } = await supabase.rpc('booking_slots', { p_business_id: business.id, p_service_id: service.id, p_date: date })
        const free = slots?.find((slot) => slot.available)
        if (free) return { business: business.id, service: service.id, date, start: free.start_time }
      }
    }
  }
  throw new Error('no free slot in the demo data')
}
