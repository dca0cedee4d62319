import type { RealtimeChannel, SupabaseClient } from '@supabase/supabase-js'
import { useEffect, useEffectEvent } from 'react'
import type { Database } from '@/types/database.gen'
import { newOutage } from './live-outages'
import { loadSupabase } from './supabase'

/** Interval at which a screen is refetched while its channel is not live, in milliseconds. */
const pollMs = 60_000
/** Delay before a channel that the server has closed is joined anew, in milliseconds. */
const reopenMs = 10_000

/**
 * What the server pushes: changes of a table's rows that the user may see (the filter's columns
 * must be published, see sql/migrations), or broadcasts of the database. Each runs `refetch`.
 */
export type LiveSource = { refetch: () => Promise<unknown> } & (
  | { table: keyof Database['public']['Tables']; filter?: string }
  | { event: string }
)

/**
 * Keeps what a screen shows up to date: refetches a source when it changes, and all of them when
 * the channel becomes live, since changes may have been missed until then. While it is not live,
 * they are refetched every minute. Sources are read when the topic changes, and only then.
 */
export function useLive(topic: string, sources: readonly LiveSource[]): void {
  const currentSources = useEffectEvent(() => sources)
  useEffect(() => follow(topic, currentSources()), [topic])
}

function follow(topic: string, sources: readonly LiveSource[]): () => void {
  // Several sources may have the same `refetch`.
  const refetches = new Map(sources.map(({ refetch }) => [refetch, oneAtATime(refetch)]))
  const refetchAll = () => {
    for (const refetch of refetches.values()) refetch()
  }
  const isPrivate = sources.some((source) => 'event' in source)
  const channel = openChannel(topic, isPrivate, refetchAll, (joining) => {
    for (const source of sources) {
      const handle = () => refetches.get(source.refetch)?.()
      if ('event' in source) joining.on('broadcast', { event: source.event }, handle)
      else {
        const { table, filter } = source
        const what = { event: '*', schema: 'public', table, ...(filter && { filter }) } as const
        joining.on('postgres_changes', what, handle)
      }
    }
  })
  const timer = setInterval(() => {
    if (!channel.isLive() && document.visibilityState === 'visible') refetchAll()
  }, pollMs)
  return () => {
    clearInterval(timer)
    channel.close()
  }
}

/**
 * Wraps a refetch so that calls during a run cause one more run after it: however fast changes
 * come, one request is under way, and the last one begins after the last change.
 */
export function oneAtATime(work: () => Promise<unknown>): () => void {
  let isRunning = false
  let isWanted = false
  const run = async () => {
    isRunning = true
    while (isWanted) {
      isWanted = false
      // What shows the data reports failures.
      await work().catch(() => undefined)
    }
    isRunning = false
  }
  return () => {
    isWanted = true
    if (!isRunning) void run()
  }
}

/** A channel that stays open until it is closed. */
export type LiveChannel = {
  isLive: () => boolean
  /** Sends a broadcast, if the channel is live. */
  send: (event: string, payload: object) => void
  close: () => void
}

// The last step of each topic: a channel must have left before it can be joined again.
const steps = new Map<string, Promise<void>>()

function inTurn(topic: string, step: () => Promise<unknown>): void {
  const done = (steps.get(topic) ?? Promise.resolve()).then(step).then(
    () => undefined,
    () => undefined,
  )
  steps.set(topic, done)
  void done.then(() => {
    if (steps.get(topic) === done) steps.delete(topic)
  })
}

/**
 * Joins a channel. `bind` adds its listeners; `onLive` is called whenever it begins to receive.
 * supabase-js reconnects by itself; a channel that the server has closed is joined anew.
 */
export function openChannel(
  topic: string,
  isPrivate: boolean,
  onLive: () => void,
  bind: (channel: RealtimeChannel) => void,
): LiveChannel {
  let channel: RealtimeChannel | null = null
  let isClosed = false
  let isLive = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const outage = newOutage()

  const show = (status: string) => {
    if (isClosed) return
    const wasLive = isLive
    isLive = status === 'SUBSCRIBED'
    if (isLive) {
      outage.end()
      onLive()
    } else if (wasLive) outage.begin()
    if (status === 'CLOSED') reopen()
  }
  const reopen = () => {
    clearTimeout(timer)
    timer = setTimeout(open, reopenMs)
  }
  const join = (supabase: SupabaseClient<Database>) => {
    if (isClosed) return
    // Subscribed then means that no change is missed from there on.
    const config = { private: isPrivate, postgres_changes_options: { wait: true } }
    const joining = supabase.channel(topic, { config })
    channel = joining
    bind(joining)
    joining.subscribe((status) => {
      if (channel === joining) show(status)
    })
  }
  const open = () => inTurn(topic, () => loadSupabase().then(join).catch(reopen))
  open()
  return {
    isLive: () => isLive,
    send: (event, payload) => {
      if (isLive) void channel?.send({ type: 'broadcast', event, payload })
    },
    close: () => {
      isClosed = true
      clearTimeout(timer)
      outage.end()
      inTurn(topic, async () => {
        if (channel) await (await loadSupabase()).removeChannel(channel)
      })
    },
  }
}
