import type { ReactNode } from 'react'
import { Button } from './ui/button'
import { Dialog } from './ui/dialog'

type ConfirmDialogProps = {
  open: boolean
  onClose: () => void
  title: string
  text: ReactNode
  /** Names the action: 'Delete photo', not 'OK'. */
  confirmLabel: string
  cancelLabel?: string
  tone?: 'primary' | 'danger'
  pending?: boolean
  onConfirm: () => void
}

/** Asks for confirmation before something that cannot be undone (RULE-28). */
export function ConfirmDialog({
  open,
  onClose,
  title,
  text,
  confirmLabel,
  cancelLabel = 'Cancel',
  tone = 'danger',
  pending = false,
  onConfirm,
}: ConfirmDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            {cancelLabel}
          </Button>
          <Button variant={tone} pending={pending} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div className="text-muted">{text}</div>
    </Dialog>
  )
}
