import { type ReactNode, type SubmitEventHandler, useId } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { useUnsavedDialog } from '@/components/use-unsaved-dialog'
import { messages } from '../messages'
import { type Obstacle, ObstacleAlert, type ObstacleWords } from './obstacle-alert'

type RowFormDialogProps = {
  title: string
  /** The label of the save button. */
  saveLabel: string
  isNew: boolean
  isPending: boolean
  /** Closing asks for confirmation. */
  isDirty: boolean
  obstacle: Obstacle | null
  words: ObstacleWords
  onSubmit: SubmitEventHandler
  onClose: () => void
  children: ReactNode
}

/** The frame of a dialog that adds or edits a row: errors, fields, buttons, unsaved changes. */
export function RowFormDialog(props: RowFormDialogProps) {
  const { title, saveLabel, isNew, isPending, isDirty, obstacle, words, onSubmit, children } = props
  const formId = useId()
  const { close, guard } = useUnsavedDialog({
    isDirty,
    isPending,
    onClose: props.onClose,
  })
  return (
    <>
      <Dialog
        open
        onClose={close}
        title={title}
        footer={
          <>
            <Button variant="outline" disabled={isPending} onClick={close}>
              {messages.cancel}
            </Button>
            <Button type="submit" form={formId} pending={isPending}>
              {saveLabel}
            </Button>
          </>
        }
      >
        <form id={formId} className="grid gap-5" onSubmit={onSubmit} noValidate>
          {obstacle && <ObstacleAlert obstacle={obstacle} isNew={isNew} words={words} />}
          {children}
        </form>
      </Dialog>
      {guard}
    </>
  )
}
