import type { Session, User } from '@supabase/supabase-js'
import { useSyncExternalStore } from 'react'
import { sessionKey } from './session-key'
import { isStored, readStored, writeStored } from './storage'
import { loadSupabase } from './supabase'
import { readClaims } from './token'

/** The state of the session. `pending` lasts only while a stored session is being read. */
export type SessionState =
  | { status: 'pending'; user: null }
  | {
      status: 'signed-out'
      user: null
      /** The session ended without a sign-out: the server refused to refresh it. */
      isLost: boolean
      /** It is unknown whether there is a session: the code that reads it failed to load. */
      isUnread: boolean
      /**
       * Sign-in has begun and needs a code of one of these; until then the user is not signed in
       * (S-24).
       */
      secondFactors: readonly SecondFactor[]
    }
  | {
      status: 'signed-in'
      user: User
      /** The id of this browser's session, as the server names it. */
      sessionId: string | null
    }

/** An authenticator app of the user. */
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

/**
 * When the session was last ended on purpose, in any tab; other tabs are notified a moment later.
 */
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

/** Users with a second factor count as signed in only after using it. */
export function sessionStateOf({ access_token, user }: Session): SessionState {
  const { aal, sessionId } = readClaims(access_token)
  const factors = (user.factors ?? [])
    .filter((factor) => factor.factor_type === 'totp' && factor.status === 'verified')
    .map(({ id, friendly_name }) => ({ id, name: friendly_name ?? '' }))
  return factors.length > 0 && aal !== 'aal2'
    ? { ...signedOut, secondFactors: factors }
    : { status: 'signed-in', user, sessionId }
}

function publish(session: Session | null): void {
  if (session) show(sessionStateOf(session))
  else if (state.status === 'signed-out') show({ ...state, isUnread: false, secondFactors: [] })
  else {
    // A session that is still stored could not be refreshed now, because there is no connection.
    show(isEndWanted() || isStored(sessionKey) ? signedOut : lost)
  }
}

/** Runs an action that ends the session on purpose, so that no tab reports the session as lost. */
export function endSession<T>(end: () => Promise<T>): Promise<T> {
  writeStored(endWantedKey, Date.now())
  return end()
}

/**
 * Starts following the session. The app calls it once when a session is stored, and the sign-in
 * flows call it before they act; further calls have no effect.
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

/** Follows a stored session, if there is one now or later in another tab. */
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

/** Returns the session as React state; re-renders when it changes. */
export function useSession(): SessionState {
  return useSyncExternalStore(subscribe, () => state)
}
