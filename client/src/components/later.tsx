import { type ReactNode, useEffect, useState } from 'react'
import { afterFirstScreen, isFirstScreen } from '@/lib/first-screen'

type LaterProps = {
  children: ReactNode
  /** It may be seen on the first screen, and is drawn with it. */
  isNear?: boolean
  /** Stands in its place. It is as high as a screen, so that nothing behind it comes into view. */
  room?: ReactNode
}

/** False while the first screen is drawn, where what lies below it is drawn later. */
export function useLater(isNear = false): boolean {
  const [isDrawn, setDrawn] = useState(() => isNear || !isFirstScreen())
  useEffect(() => (isDrawn ? undefined : afterFirstScreen(() => setDrawn(true))), [isDrawn])
  return isDrawn
}

/**
 * What lies below a phone's first screen. On a first visit it is drawn once the browser has nothing
 * better to do, each in a turn of its own, so that no turn keeps a finger waiting.
 */
export function Later({
  children,
  isNear = false,
  room = <div className="min-h-dvh" />,
}: LaterProps) {
  return useLater(isNear) ? children : room
}
