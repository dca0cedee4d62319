import type { PostgrestSingleResponse } from '@supabase/postgrest-js'
import { toAppError, unwrapCounted } from './errors'

/** Rows of one page, and how many there are on all. */
export type Page<Row> = { rows: Row[]; total: number }

// The server's answer to a page that begins after the last row.
const pastTheEnd = 'PGRST103'

/**
 * Reads one page of what is counted with `count: 'exact'`; pages count from 1. One past the end (an
 * old link, rows deleted since) has no rows, and the total tells which page is the last.
 */
export async function readPage<Row>(
  page: number,
  pageSize: number,
  request: (from: number, to: number) => PromiseLike<PostgrestSingleResponse<Row[]>>,
): Promise<Page<Row>> {
  const from = (page - 1) * pageSize
  try {
    return unwrapCounted(await request(from, from + pageSize - 1))
  } catch (error) {
    if (from === 0 || toAppError(error).code !== pastTheEnd) throw error
    const { total } = unwrapCounted(await request(0, 0))
    return { rows: [], total }
  }
}
