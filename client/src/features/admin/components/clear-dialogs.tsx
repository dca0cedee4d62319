import { type FormEvent, useId, useState } from 'react'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { Consequences } from '@/components/consequences'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { Dialog } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { showToast } from '@/components/ui/toast'
import { clearAllData, clearTestData, useTestTool } from '../api/test-tools'
import { messages } from '../messages'
import { refusalText } from '../model/refusal'
import { amountsText, clearAllPhrase } from '../model/test-data'
import { testMessages as texts } from '../test-messages'
import type { TestTools } from './test-tools-state'

function tellCleared(title: string, removed: string): void {
  const text = removed === '' ? texts.clearedNothing : texts.clearedText(removed)
  showToast({ title, text, tone: 'success' })
}

function tellFailed(error: unknown): void {
  showToast({ title: texts.clearFailed, text: refusalText(error), tone: 'danger' })
}

/** Asks before test data is removed, with test profiles or not (ADMIN-TEST-03, ADMIN-TEST-06). */
export function ClearTestDialog({ tools, onClose }: { tools: TestTools; onClose: () => void }) {
  const [withProfiles, setWithProfiles] = useState(false)
  const clear = useTestTool(clearTestData)
  const { businesses, reviews, bookings, reports } = tools
  const amounts = amountsText({ businesses, reviews, bookings, reports })
  return (
    <ConfirmDialog
      open
      title={texts.clearAsk}
      confirmLabel={texts.clear}
      pending={clear.isPending}
      onClose={() => !clear.isPending && onClose()}
      onConfirm={() =>
        clear.mutate(withProfiles, {
          onSuccess: (removed) => {
            onClose()
            tellCleared(texts.cleared, amountsText(removed))
          },
          onError: tellFailed,
        })
      }
      text={
        <div className="grid gap-4">
          {clear.isError && (
            <Alert tone="danger" title={texts.clearFailed}>
              {refusalText(clear.error)}
            </Alert>
          )}
          <p>{amounts === '' ? texts.nothing : texts.clearList(amounts)}</p>
          <Checkbox
            className="text-ink"
            label={texts.withProfiles}
            checked={withProfiles}
            onChange={(event) => setWithProfiles(event.target.checked)}
          />
          <p>{texts.clearKept}</p>
        </div>
      }
    />
  )
}

/** Asks for the words that confirm to clear all data (ADMIN-TEST-04, PERM-17). */
export function ClearAllDialog({ onClose }: { onClose: () => void }) {
  const formId = useId()
  const [phrase, setPhrase] = useState('')
  const [isWrong, setWrong] = useState(false)
  const [rest, setRest] = useState(0)
  const clear = useTestTool(clearAllData)
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (phrase !== clearAllPhrase) return setWrong(true)
    clear.mutate(
      { phrase, onRest: setRest },
      {
        onSuccess: (removed) => {
          onClose()
          tellCleared(texts.clearedAll, amountsText(removed))
        },
        onError: tellFailed,
      },
    )
  }
  return (
    <Dialog
      open
      title={texts.clearAllAsk}
      onClose={() => !clear.isPending && onClose()}
      footer={
        <>
          <Button variant="outline" disabled={clear.isPending} onClick={onClose}>
            {messages.cancel}
          </Button>
          <Button type="submit" form={formId} variant="danger" pending={clear.isPending}>
            {texts.clearAll}
          </Button>
        </>
      }
    >
      <form id={formId} className="grid gap-4 text-muted" onSubmit={handleSubmit} noValidate>
        {clear.isError && (
          <Alert tone="danger" title={texts.clearFailed}>
            {refusalText(clear.error)}
          </Alert>
        )}
        <p>{texts.clearAllText}</p>
        <Consequences title={texts.gone} items={texts.goneList} />
        <Field
          label={texts.phrase(clearAllPhrase)}
          error={isWrong ? texts.phraseWrong(clearAllPhrase) : undefined}
        >
          <Input
            data-autofocus
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            value={phrase}
            onChange={(event) => {
              setPhrase(event.target.value)
              setWrong(false)
            }}
          />
        </Field>
        <p role="status" className="nums min-h-6">
          {clear.isPending && rest > 0 && texts.rest(rest)}
        </p>
      </form>
    </Dialog>
  )
}
