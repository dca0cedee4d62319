import { useEffect } from 'react'
import { tellVisit, type VisitKind } from '@/lib/visits'

const pressable: readonly VisitKind[] = ['call', 'directions', 'website', 'photo_view']

declare global {
  /** What was pressed, as public/before-paint.js keeps it: also before this code is there. */
  var pressedVisits: { path: string; kind: string }[] | undefined
}

/** The kinds that were pressed on this page since they were taken last. */
function takePressed(): VisitKind[] {
  const all = globalThis.pressedVisits?.splice(0) ?? []
  return pressable.filter((kind) =>
    all.some((one) => one.kind === kind && one.path === window.location.pathname),
  )
}

type VisitRecorderProps = { businessId: string; isBooked: boolean }

/** Counts a visitor of a business page, and what is pressed on it and says by `data-visit` what it is. */
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
