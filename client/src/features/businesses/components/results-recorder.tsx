import { useEffect, useEffectEvent } from 'react'
import { followPromotion, recordVisit } from '@/lib/visits'

type ResultsRecorderProps = {
  rows: readonly { id: string; isPromoted: boolean }[]
  /** Called when a result was opened. */
  onFollow?: () => void
}

/** Records which businesses a list showed to a visitor, and which promoted ones were opened. */
export function ResultsRecorder({ rows, onFollow }: ResultsRecorderProps) {
  const follow = useEffectEvent(() => onFollow?.())
  useEffect(() => {
    for (const { id, isPromoted } of rows) {
      recordVisit('search_view', id)
      if (isPromoted) recordVisit('promoted_view', id)
    }
  }, [rows])
  useEffect(() => {
    const handleClick = ({ target }: MouseEvent) => {
      if (!(target instanceof Element) || target.closest('a') === null) return
      if (target.closest('[data-result]')) follow()
      const followed = target.closest<HTMLElement>('[data-promoted]')?.dataset.promoted
      if (followed !== undefined) followPromotion(followed)
    }
    document.addEventListener('click', handleClick, { capture: true })
    return () => document.removeEventListener('click', handleClick, { capture: true })
  }, [])
  return null
}
