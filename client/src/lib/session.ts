import type { Session, User } from '@supabase/supabase-js'
import { useSyncExternalStore } from 'react'
import { sessionKey } from './session-key'
import { isStored, readStored, writeStored } from './storage'
import { loadSupabase } from './supabase'
import { readClaims } from './token'

/** Who is at the keyboard. `pending` lasts only while a stored session is being read. */
export type SessionState =
  | { status: 'pending'; user: null }
  | {
      status: 'signed-out'
      user: null
      /** There was a session, and it ended by itself: the server would not renew it. */
      isLost: boolean
      /** Whether there is a session could not be found out: what reads it did not load. */
      isUnread: boolean
      /** Signing in has begun, and one of these has to give a code: nobody, until then (S-24). */
      secondFactors: readonly SecondFactor[]
    }
  | {
      status: 'signed-in'
      user: User
      /** The session this browser is in, as the server names it. */
      sessionId: string | null
    }

/** An authenticator app that was set up. */
export type SecondFactor = { id: string; name: string }

type SignedOut = Extract<SessionState, { status: 'signed-out' }>
const signedOut: SignedOut = {
  status: 'signed-out',
  user: null,
  isLost: false,
  isUnread: false,
  secondFactors: [],
}
const lost: SignedOut = { ...signedOut, isLost: true }

let state: SessionState = isStored(sessionKey) ? { status: 'pending', user: null } : signedOut
const listeners = new Set<() => void>()
let started: Promise<void> | undefined

/** When the session was last ended on purpose, in any tab: the others hear of it a moment later. */
const endWantedKey = 'plaza.session-end'
const endWantedForMs = 10_000

function isEndWanted(): boolean {
  const at = readStored(endWantedKey, (value) => (typeof value === 'number' ? value : null))
  return at !== null && Math.abs(Date.now() - at) < endWantedForMs
}

function show(next: SessionState): void {
  state = next
  for (const listener of listeners) listener()
}

/** Whoever has set up a second factor is signed in once it was used. */
export function standingOf({ access_token, user }: Session): SessionState {
  const { aal, sessionId } = readClaims(access_token)
  const factors = (user.factors ?? [])
    .filter((factor) => factor.factor_type === 'totp' && factor.status === 'verified')
    .map(({ id, friendly_name }) => ({ id, name: friendly_name ?? '' }))
  return factors.length > 0 && aal !== 'aal2'
    ? { ...signedOut, secondFactors: factors }
    : { status: 'signed-in', user, sessionId }
}

function publish(session: Session | null): void {
  if (session) show(standingOf(session))
  else if (state.status === 'signed-out') show({ ...state, isUnread: false, secondFactors: [] })
  else {
    // What is still stored could only not be renewed now, for want of a connection.
    show(isEndWanted() || isStored(sessionKey) ? signedOut : lost)
  }
}

/** Runs what ends the session on purpose, so that its end counts as a loss in no tab. */
export function endSession<T>(end: () => Promise<T>): Promise<T> {
  writeStored(endWantedKey, Date.now())
  return end()
}

/**
 * Starts following the session. Called once by the app when a session is stored,
 * and by the sign-in flows before they act; calling it again is harmless.
 */
export function followSession(): Promise<void> {
  started ??= loadSupabase()
    .then((supabase) => {
      supabase.auth.onAuthStateChange((_event, session) => publish(session))
    })
    .catch((error: unknown) => {
      started = undefined
      show({ ...signedOut, isUnread: isStored(sessionKey) })
      throw error
    })
  return started
}

/** Follows the session when there is one to follow, here or later in another tab. */
export function watchStoredSession(): void {
  if (isStored(sessionKey)) void followSession().catch(() => undefined)
  window.addEventListener('storage', (event) => {
    if (event.key === sessionKey) void followSession().catch(() => undefined)
  })
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The session as screen state; re-renders when it changes. */
export function useSession(): SessionState {
  return useSyncExternalStore(subscribe, () => state)
}
