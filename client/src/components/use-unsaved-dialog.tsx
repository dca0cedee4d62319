import { type ReactNode, useRef, useState } from 'react'
import { translated } from '@/lib/translated'
import { ConfirmDialog } from './confirm-dialog'
import { UnsavedDialog } from './unsaved-dialog'

export const discardWords = translated('unsaved', {
  leaveTitle: 'Discard your changes?',
  leaveText: 'What you typed has not been saved.',
  leave: 'Discard',
  stay: 'Keep editing',
})

type UnsavedInDialog = {
  isDirty: boolean
  /** While it is sent, the dialog stays open. */
  isPending: boolean
  onClose: () => void
  words?: typeof discardWords
}

type UnsavedGuard = {
  /** Closes the dialog, after a confirmation if there are unsaved changes. */
  close: () => void
  /** Closes the dialog at once: its input was saved. */
  leave: () => void
  /** Is rendered beside the dialog. */
  guard: ReactNode
}

/**
 * For a dialog with input: closing it and leaving the page ask for confirmation if there are unsaved
 * changes.
 */
export function useUnsavedDialog(props: UnsavedInDialog): UnsavedGuard {
  const { isDirty, isPending, onClose, words = discardWords } = props
  const [isLeaving, setLeaving] = useState(false)
  const isLeft = useRef(false)
  const leave = () => {
    // A dialog that the URL opens is closed by a navigation, which nothing may block.
    isLeft.current = true
    onClose()
  }
  const close = () => {
    if (isPending) return
    if (isDirty) setLeaving(true)
    else leave()
  }
  const guard = (
    <>
      {/* Only with changes: the router has one blocker, and the page below may have its own. */}
      {isDirty && <UnsavedDialog isDirty isLeft={() => isLeft.current} words={words} />}
      <ConfirmDialog
        open={isLeaving}
        onClose={() => setLeaving(false)}
        title={words.leaveTitle}
        text={words.leaveText}
        confirmLabel={words.leave}
        cancelLabel={words.stay}
        onConfirm={leave}
      />
    </>
  )
  return { close, leave, guard }
}
