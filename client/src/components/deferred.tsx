import { type ReactNode, useEffect, useState } from 'react'
import { defer, isDeferred } from '@/lib/first-screen'

type DeferredProps = {
  children: ReactNode
  /**
   * Part of the first screen, which renders in several tasks while the server's view is still
   * shown.
   */
  isNear?: boolean
  /** A placeholder. It is as high as a screen, so that nothing below it becomes visible. */
  room?: ReactNode
}

/** Returns false until the part's turn comes, if the first screen renders in several tasks. */
export function useDeferred(isNear = false): boolean {
  const [isDrawn, setDrawn] = useState(() => !isDeferred(isNear))
  useEffect(() => (isDrawn ? undefined : defer(() => setDrawn(true), isNear)), [isDrawn, isNear])
  return isDrawn
}

/**
 * A part of the screen that a phone renders in a separate task on a first visit, so that no task
 * delays input: a part of the first screen before the client replaces the server's view, a part
 * below it when the browser is idle.
 */
export function Deferred({
  children,
  isNear = false,
  room = <div className="min-h-dvh" />,
}: DeferredProps) {
  if (useDeferred(isNear)) return children
  return isNear ? null : room
}
