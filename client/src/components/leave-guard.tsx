import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { ConfirmDialog } from './confirm-dialog'

type LeaveGuardProps = {
  /** There is something that leaving would lose. */
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
 * Asks before a page with unsaved work is left: in its own words for addresses of the app, in the
 * browser's for others and for a closed tab. Another query of the same page is not leaving.
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
