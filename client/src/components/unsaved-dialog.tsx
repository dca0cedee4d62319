import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { ConfirmDialog } from './confirm-dialog'

type UnsavedDialogProps = {
  isDirty: boolean
  /** Reports whether the changes no longer matter. */
  isLeft?: () => boolean
  words: { leaveTitle: string; leaveText: string; leave: string; stay: string }
}

/** Asks for confirmation before a page or a tab with unsaved changes is left. */
export function UnsavedDialog({ isDirty, isLeft, words }: UnsavedDialogProps) {
  const blocker = useBlocker(() => isDirty && !isLeft?.())
  useEffect(() => {
    if (!isDirty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isDirty])
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      onClose={() => blocker.reset?.()}
      title={words.leaveTitle}
      text={words.leaveText}
      confirmLabel={words.leave}
      cancelLabel={words.stay}
      onConfirm={() => blocker.proceed?.()}
    />
  )
}
