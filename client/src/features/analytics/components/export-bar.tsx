import { ExportMenu } from '@/components/export-menu'
import { Alert } from '@/components/ui/alert'
import { showToast } from '@/components/ui/toast'
import type { DateRange } from '@/lib/date-range'
import { describeError } from '@/lib/error-text'
import { countText } from '@/lib/formats'
import { useExport } from '../api/export'
import { maxExported } from '../api/export-bookings'
import { messages } from '../messages'
import { exportKinds } from '../model/sheet'

type ExportBarProps = { businessId: string; range: DateRange; today: string }

/** Exports of the selected dates, as CSV or Excel (METRICS-09). */
export function ExportBar({ businessId, range, today }: ExportBarProps) {
  const { mutate, isPending, variables, data, error } = useExport(businessId, range, today)
  return (
    <div className="grid gap-1.5 max-sm:w-full">
      <p className="text-sm font-semibold" aria-hidden>
        {messages.exports}
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: these buttons are not form fields */}
      <div role="group" aria-label={messages.exports} className="flex flex-wrap gap-2">
        {exportKinds.map((kind) => (
          <ExportMenu
            key={kind}
            label={messages.exportOf(kind)}
            text={messages.exportKind[kind]}
            pending={isPending && variables.kind === kind}
            files={[{ kind }]}
            onExport={(file) => mutate(file, { onSuccess: showSaved })}
          />
        ))}
      </div>
      <ExportError result={data} error={error} />
    </div>
  )
}

function showSaved(result: ReturnType<typeof useExport>['data']) {
  if (result === 'saved') showToast({ title: messages.exported, tone: 'success' })
}

type ExportErrorProps = { result: ReturnType<typeof useExport>['data']; error: Error | null }

/** The reason why there is no file. */
function ExportError({ result, error }: ExportErrorProps) {
  if (error) {
    return (
      <Alert tone="danger" title={messages.exportFailed}>
        {describeError(error)}
      </Alert>
    )
  }
  if (result === 'empty') return <Alert title={messages.exportEmpty} />
  if (result !== 'too-many') return null
  return (
    <Alert tone="warning" title={messages.exportTooManyTitle}>
      {messages.exportTooMany(countText(maxExported))}
    </Alert>
  )
}
