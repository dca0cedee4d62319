import type { PostgrestSingleResponse } from '@supabase/postgrest-js'
import { toAppError, unwrapCounted } from './errors'

/** The rows of one page, and the total number of rows. */
export type Page<Row> = { rows: Row[]; total: number }

// The server's error code for a page beyond the last row.
const pastTheEnd = 'PGRST103'

/**
 * Reads one page of a query with `count: 'exact'`; page numbers start at 1. A page past the end (an
 * old link, rows deleted since) has no rows, and the total shows which page is the last.
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
