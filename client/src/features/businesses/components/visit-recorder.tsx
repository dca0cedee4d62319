import { useEffect } from 'react'
import { recordVisit, type VisitKind } from '@/lib/visits'

const pressable: readonly VisitKind[] = ['call', 'directions', 'website', 'photo_view']

declare global {
  /**
   * The presses recorded by public/before-paint.js, including those before this code was loaded.
   */
  var pressedVisits: { path: string; kind: string }[] | undefined
}

/** Returns and clears the kinds of presses recorded on this page. */
function takePressed(): VisitKind[] {
  const all = globalThis.pressedVisits?.splice(0) ?? []
  return pressable.filter((kind) =>
    all.some((one) => one.kind === kind && one.path === window.location.pathname),
  )
}

type VisitRecorderProps = { businessId: string; isBooked: boolean }

/**
 * Records a visit of a business page, and presses on elements with `data-visit`, which names their
 * kind.
 */
export function VisitRecorder({ businessId, isBooked }: VisitRecorderProps) {
  useEffect(() => {
    const recordPressed = () => {
      for (const kind of takePressed()) recordVisit(kind, businessId)
    }
    recordVisit('page_view', businessId)
    recordPressed()
    document.addEventListener('click', recordPressed, { capture: true })
    return () => document.removeEventListener('click', recordPressed, { capture: true })
  }, [businessId])
  useEffect(() => {
    if (isBooked) recordVisit('booking', businessId)
  }, [businessId, isBooked])
  return null
}
