import { type ReactNode, useState } from 'react'
import { ConfirmDialog } from './confirm-dialog'
import { UnsavedDialog } from './unsaved-dialog'

type UnsavedInDialog = {
  isDirty: boolean
  /** While it is sent, the dialog stays open. */
  isPending: boolean
  onClose: () => void
  words: { leaveTitle: string; leaveText: string; leave: string; stay: string }
}

/**
 * For a dialog with input: `close` asks for confirmation if there are unsaved changes, and so does
 * leaving the page. `guard` is rendered beside the dialog.
 */
export function useUnsavedDialog({ isDirty, isPending, onClose, words }: UnsavedInDialog): {
  close: () => void
  guard: ReactNode
} {
  const [isLeaving, setLeaving] = useState(false)
  const close = () => {
    if (isPending) return
    if (isDirty) setLeaving(true)
    else onClose()
  }
  const guard = (
    <>
      <UnsavedDialog isDirty={isDirty} words={words} />
      <ConfirmDialog
        open={isLeaving}
        onClose={() => setLeaving(false)}
        title={words.leaveTitle}
        text={words.leaveText}
        confirmLabel={words.leave}
        cancelLabel={words.stay}
        onConfirm={onClose}
      />
    </>
  )
  return { close, guard }
}
