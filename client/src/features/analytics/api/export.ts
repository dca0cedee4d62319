import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { DateRange } from '@/lib/date-range'
import { saveSheet } from '@/lib/save-sheet'
import type { ExportFormat, Sheet } from '@/lib/sheet'
import { bookingsSheet, type ExportKind, revenueSheet, servicesSheet } from '../model/sheet'
import { readBookings } from './export-bookings'
import { revenueQuery, servicesQuery } from './queries'

type Export = { kind: ExportKind; format: ExportFormat }

/**
 * Exports the data of a date range as a file download (METRICS-09 to METRICS-11). Its result says
 * whether there is a file, or whether there was no data or too much.
 */
export function useExport(businessId: string, range: DateRange, today: string) {
  const client = useQueryClient()
  const read = async (kind: ExportKind): Promise<Sheet | 'too-many'> => {
    if (kind === 'revenue') {
      return revenueSheet(await client.fetchQuery(revenueQuery(businessId, range, 'day')))
    }
    if (kind === 'services') {
      return servicesSheet(await client.fetchQuery(servicesQuery(businessId, range)))
    }
    const rows = await readBookings(businessId, range)
    return rows === 'too-many' ? rows : bookingsSheet(rows)
  }
  return useMutation({
    mutationFn: async ({ kind, format }: Export): Promise<'saved' | 'empty' | 'too-many'> => {
      const sheet = await read(kind)
      if (sheet === 'too-many') return sheet
      if (sheet.rows.length === 0) return 'empty'
      await saveSheet(sheet, kind, today, format)
      return 'saved'
    },
  })
}
