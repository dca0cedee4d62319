import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { DateRange } from '@/lib/date-range'
import { saveSheet } from '@/lib/save-sheet'
import type { ExportFormat } from '@/lib/sheet'
import type { MetricKey } from '../model/metric'
import { type SheetKind, sheets } from '../model/sheet'
import { metricsQuery } from './queries'

type Export = { kind: SheetKind; format: ExportFormat }

/** Exports the figures of a period as a file download (METRICS-17). */
export function useExport(businessId: string, range: DateRange, keys: readonly MetricKey[]) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ kind, format }: Export) => {
      const read = await client.fetchQuery(metricsQuery(businessId, range))
      await saveSheet(sheets[kind](keys, read, range), `metrics-${kind}`, range.last, format)
    },
  })
}
