import { type ReactNode, useEffect, useState } from 'react'
import { hasTurns, waitForTurn } from '@/lib/first-screen'

type LaterProps = {
  children: ReactNode
  /** It belongs to the first screen, which is drawn in turns while the server's view of it is still shown. */
  isNear?: boolean
  /** Stands in its place. It is as high as a screen, so that nothing behind it comes into view. */
  room?: ReactNode
}

/** False until a part's turn comes, where the first screen is drawn in turns. */
export function useLater(isNear = false): boolean {
  const [isDrawn, setDrawn] = useState(() => !hasTurns(isNear))
  useEffect(
    () => (isDrawn ? undefined : waitForTurn(() => setDrawn(true), isNear)),
    [isDrawn, isNear],
  )
  return isDrawn
}

/**
 * A part of the screen that a phone draws in a turn of its own on a first visit, so that no turn keeps
 * a finger waiting: a part of the first screen before that takes the place of the server's view, what
 * lies below it once the browser has nothing better to do.
 */
export function Later({
  children,
  isNear = false,
  room = <div className="min-h-dvh" />,
}: LaterProps) {
  if (useLater(isNear)) return children
  return isNear ? null : room
}
