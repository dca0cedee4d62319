import { type ReactNode, useEffect, useRef } from 'react'
import { Alert } from '@/components/ui/alert'
import type { Failure } from '../model/failure'

/** Why a booking failed, scrolled into view and focused; the alternatives are below it. */
export function BookingFailure({ failure, children }: { failure: Failure; children?: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    place.current?.focus({ preventScroll: true })
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={place} tabIndex={-1} className="scroll-my-24 outline-none">
      <Alert tone="danger" title={failure.title} action={children}>
        {failure.text}
        {failure.more && <span className="block">{failure.more}</span>}
      </Alert>
    </div>
  )
}
