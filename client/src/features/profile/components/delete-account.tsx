import { type FormEvent, useId, useState } from 'react'
import { Consequences } from '@/components/consequences'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { describeError } from '@/lib/error-text'
import { deleteAccount } from '../api/mutations'
import { messages } from '../messages'
import { deleteRefusal, isConfirmed } from '../model/deletion'

type DeleteAccountProps = {
  /** The text to type as confirmation. */
  word: string
  onDeleted: () => Promise<void>
}

/** The button and the confirmation dialog for deleting an account (PROFILE-08). */
export function DeleteAccount({ word, onDeleted }: DeleteAccountProps) {
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      <Button variant="danger" onClick={() => setAsked(true)}>
        {messages.delete}
      </Button>
      {isAsked && (
        <DeleteDialog word={word} onDeleted={onDeleted} onClose={() => setAsked(false)} />
      )}
    </>
  )
}

function DeleteDialog({ word, onDeleted, onClose }: DeleteAccountProps & { onClose: () => void }) {
  const formId = useId()
  const [typed, setTyped] = useState('')
  const [isMismatch, setMismatch] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [isPending, setPending] = useState(false)

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    setProblem(null)
    setMismatch(!isConfirmed(typed, word))
    if (!isConfirmed(typed, word)) return
    setPending(true)
    try {
      await deleteAccount()
      await onDeleted()
    } catch (error) {
      setProblem(deleteRefusal(error) ?? describeError(error))
      setPending(false)
    }
  }

  return (
    <Dialog
      open
      onClose={() => !isPending && onClose()}
      title={messages.deleteTitle}
      footer={
        <>
          <Button variant="outline" disabled={isPending} onClick={onClose}>
            {messages.keep}
          </Button>
          <Button type="submit" form={formId} variant="danger" pending={isPending}>
            {messages.delete}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="grid gap-5"
        onSubmit={(event) => void handleSubmit(event)}
        noValidate
      >
        {problem !== null && (
          <Alert tone="danger" title={messages.deleteError}>
            {problem}
          </Alert>
        )}
        <Consequences title={messages.deleteGone} items={messages.deleteGoneList} />
        <Consequences title={messages.deleteKept} items={messages.deleteKeptList} />
        <Field
          label={messages.deleteConfirm(word)}
          error={isMismatch ? messages.deleteMismatch : undefined}
        >
          <Input
            value={typed}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            readOnly={isPending}
            data-autofocus
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  )
}
