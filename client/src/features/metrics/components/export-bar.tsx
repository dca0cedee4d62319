import { ExportMenu } from '@/components/export-menu'
import { Alert } from '@/components/ui/alert'
import { showToast } from '@/components/ui/toast'
import type { DateRange } from '@/lib/date-range'
import { describeError } from '@/lib/error-text'
import { useExport } from '../api/export'
import { messages } from '../messages'
import type { MetricKey } from '../model/metric'
import { sheetKinds } from '../model/sheet'

type ExportBarProps = { businessId: string; range: DateRange; keys: readonly MetricKey[] }

/** Exports of the shown figures, as CSV or Excel (METRICS-17). */
export function ExportBar({ businessId, range, keys }: ExportBarProps) {
  const { mutate, isPending, error } = useExport(businessId, range, keys)
  return (
    <>
      <ExportMenu
        label={messages.exports}
        text={messages.exports}
        files={sheetKinds.map((kind) => ({ kind, name: messages.exportKind[kind] }))}
        pending={isPending}
        onExport={(file) => mutate(file, { onSuccess: showSaved })}
      />
      {error && (
        <div className="w-full">
          <Alert tone="danger" title={messages.exportFailed}>
            {describeError(error)}
          </Alert>
        </div>
      )}
    </>
  )
}

function showSaved() {
  showToast({ title: messages.exported, tone: 'success' })
}
