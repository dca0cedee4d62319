import { sessionKey } from '@/lib/session-key'
import { isStored, readStored, writeStored } from '@/lib/storage'
import { db } from '@/lib/supabase'
import {
  type DatedSearch,
  isSame,
  maxRecent,
  newest,
  parseRecent,
  type RecentSearch,
} from '../model/recent'

/** Local storage key of the searches made on this device. */
const recentKey = 'plaza.recent-searches'

const readHere = () => readStored(recentKey, parseRecent) ?? []
const isSignedIn = () => isStored(sessionKey)

/** Reads the searches stored in the account. On failure, only those of this device are shown. */
async function readAccount(signal: AbortSignal): Promise<(DatedSearch & { id: string })[]> {
  if (!isSignedIn()) return []
  const { data } = await db
    .from('recent_searches')
    .select('id, query, location, category, created_at')
    .order('created_at', { ascending: false })
    .limit(maxRecent)
    .abortSignal(signal)
  return (data ?? []).map((row) => ({
    id: row.id,
    findDesc: row.query ?? '',
    findLoc: row.location ?? '',
    category: row.category ?? '',
    at: Date.parse(row.created_at),
  }))
}

/** Returns the recent searches on this device and, if signed in, on others (DATA-23). */
export async function readRecent(signal: AbortSignal): Promise<RecentSearch[]> {
  return newest([...readHere(), ...(await readAccount(signal))])
}

/** Stores a search. This is only a convenience, so failures are ignored. */
export async function storeRecent({ findDesc, findLoc, category }: RecentSearch): Promise<void> {
  if (findDesc === '' && category === '') return
  const search = { findDesc, findLoc, category }
  writeStored(recentKey, newest([{ ...search, at: Date.now() }, ...readHere()]))
  if (!isSignedIn()) return
  await db
    .from('recent_searches')
    .insert({ query: findDesc || null, location: findLoc || null, category: category || null })
}

/** Deletes a search, on this device and in the account. */
export async function forgetRecent(search: RecentSearch): Promise<void> {
  writeStored(
    recentKey,
    readHere().filter((one) => !isSame(one, search)),
  )
  const kept = await readAccount(new AbortController().signal)
  const ids = kept.filter((one) => isSame(one, search)).map(({ id }) => id)
  if (ids.length > 0) await db.from('recent_searches').delete().in('id', ids)
}

/** Deletes all recent searches. */
export async function clearRecent(): Promise<void> {
  writeStored(recentKey, [])
  // Row-level security limits the delete to the user's own rows; the data API requires a filter.
  if (isSignedIn()) await db.from('recent_searches').delete().gte('created_at', '1970-01-01')
}
