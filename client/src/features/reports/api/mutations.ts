import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import type { Reported, ReportValues } from '../model/report'

/** Sends a report; the database limits the number of reports per user. */
export async function sendReport(
  userId: string,
  { type, id }: Reported,
  { reason, details }: ReportValues,
): Promise<void> {
  unwrap(
    await db.from('reports').insert({
      reporter_id: userId,
      reported_id: id,
      type,
      reason,
      details: details === '' ? null : details,
    }),
  )
}
