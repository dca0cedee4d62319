import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { ConfirmDialog } from './confirm-dialog'

type LeaveGuardProps = {
  /** Leaving would lose unsaved input. */
  when: boolean
  title: string
  text: string
  leaveLabel: string
  stayLabel: string
}

function warn(event: BeforeUnloadEvent): void {
  event.preventDefault()
}

/**
 * Asks for confirmation before a page with unsaved input is left: with its own dialog for URLs of
 * the app, with the browser's for other URLs and for closing the tab. A different query of the same
 * page does not count as leaving.
 */
export function LeaveGuard({ when, title, text, leaveLabel, stayLabel }: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      when && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (!when) return
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [when])
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      onClose={() => blocker.reset?.()}
      title={title}
      text={text}
      confirmLabel={leaveLabel}
      cancelLabel={stayLabel}
      onConfirm={() => blocker.proceed?.()}
    />
  )
}
