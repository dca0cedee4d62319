import { useEffect } from 'react'
import { tellVisit, type VisitKind } from '@/lib/visits'

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
    const tellPressed = () => {
      for (const kind of takePressed()) tellVisit(kind, businessId)
    }
    tellVisit('page_view', businessId)
    tellPressed()
    document.addEventListener('click', tellPressed, { capture: true })
    return () => document.removeEventListener('click', tellPressed, { capture: true })
  }, [businessId])
  useEffect(() => {
    if (isBooked) tellVisit('booking', businessId)
  }, [businessId, isBooked])
  return null
}
