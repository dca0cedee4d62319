import { type ReactNode, type SubmitEventHandler, useId } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { messages } from '../messages'
import { type Obstacle, ObstacleAlert, type ObstacleWords } from './obstacle-alert'

type RowFormDialogProps = {
  title: string
  /** The label of the save button. */
  saveLabel: string
  isNew: boolean
  isPending: boolean
  obstacle: Obstacle | null
  words: ObstacleWords
  onSubmit: SubmitEventHandler
  onClose: () => void
  children: ReactNode
}

/** The frame of a dialog that adds or edits a row: errors, fields, buttons. */
export function RowFormDialog(props: RowFormDialogProps) {
  const { title, saveLabel, isNew, isPending, obstacle, words, onSubmit, onClose, children } = props
  const formId = useId()
  return (
    <Dialog
      open
      onClose={() => !isPending && onClose()}
      title={title}
      footer={
        <>
          <Button variant="outline" disabled={isPending} onClick={onClose}>
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
  )
}
