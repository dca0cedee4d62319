import { useEffect } from 'react'
import { tellVisit, type VisitKind } from '@/lib/visits'

const pressable: readonly VisitKind[] = ['call', 'directions', 'website', 'photo_view']

type VisitRecorderProps = { businessId: string; isBooked: boolean }

/** Counts a visitor of a business page, and what is pressed on it and says by `data-visit` what it is. */
export function VisitRecorder({ businessId, isBooked }: VisitRecorderProps) {
  useEffect(() => {
    tellVisit('page_view', businessId)
    const handleClick = ({ target }: MouseEvent) => {
      if (!(target instanceof Element)) return
      const pressed = target.closest<HTMLElement>('[data-visit]')?.dataset.visit
      const kind = pressable.find((one) => one === pressed)
      if (kind) tellVisit(kind, businessId)
    }
    document.addEventListener('click', handleClick, { capture: true })
    return () => document.removeEventListener('click', handleClick, { capture: true })
  }, [businessId])
  useEffect(() => {
    if (isBooked) tellVisit('booking', businessId)
  }, [businessId, isBooked])
  return null
}
