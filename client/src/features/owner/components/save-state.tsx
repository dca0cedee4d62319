import { Check } from 'lucide-react'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { describeError } from '@/lib/error-text'
import { partsMessages as messages } from '../parts-messages'
import type { SaveStep } from './use-instant-save'

type SaveStateProps = {
  save: { step: SaveStep; error: unknown; retry: () => void; acceptStored: () => void }
  failed: string
  changed: string
}

/** The state of the last change; if it could not be saved, offers a retry. */
export function SaveState({ save, failed, changed }: SaveStateProps) {
  const { step, error, retry, acceptStored } = save
  return (
    <div className="grid gap-3">
      <p className="flex min-h-6 items-center gap-2 text-sm text-muted" role="status">
        {step === 'saved' && <Check className="size-4 text-success" strokeWidth={2} aria-hidden />}
        {statusText(step)}
      </p>
      {step === 'failed' && (
        <Alert
          tone="danger"
          title={failed}
          action={
            <Button variant="outline" size="sm" onClick={retry}>
              {messages.retry}
            </Button>
          }
        >
          {describeError(error)} {messages.notSavedText}
        </Alert>
      )}
      {step === 'changed' && (
        <Alert
          tone="danger"
          title={changed}
          action={
            <div className="flex flex-wrap gap-2">
              <Button variant="outline" size="sm" onClick={retry}>
                {messages.keepMine}
              </Button>
              <Button variant="outline" size="sm" onClick={acceptStored}>
                {messages.takeTheirs}
              </Button>
            </div>
          }
        >
          {messages.changedText}
        </Alert>
      )}
      {step === 'gone' && <Alert tone="danger" title={messages.gone} />}
    </div>
  )
}

function statusText(step: SaveStep): string {
  if (step === 'saving') return messages.saving
  if (step === 'saved') return messages.saved
  return step === 'idle' ? messages.atOnce : ''
}
