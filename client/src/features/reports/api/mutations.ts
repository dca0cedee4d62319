import { unwrap } from '@/lib/errors'
import { db } from '@/lib/supabase'
import type { Reported, ReportValues } from '../model/report'

/**
 * Sends a report.
 * Errors: `too_many_reports` while 20 of the user's reports are pending, `own_report`, `reported_not_found`.
 */
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
