import { useQuery } from '@tanstack/react-query'
import { QueryState } from '@/components/query-state'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import type { Zone } from '@/lib/time'
import { availabilityQuery } from '../api/queries'
import { messages } from '../messages'
import type { OpeningHours } from '../model/opening'
import { AvailabilityEditor } from './availability-editor'

type AvailabilityPanelProps = {
  businessId: string
  zone: Zone
  /** The listing's opening hours, which the schedule cannot extend. */
  hours: OpeningHours
  /** Called when the availability was stored. */
  onSaved: () => void
}

/** When a business can be booked: its schedule and its blackout dates (METRICS-27). */
export function AvailabilityPanel({ businessId, zone, hours, onSaved }: AvailabilityPanelProps) {
  const query = useQuery(availabilityQuery(businessId))
  return (
    <QueryState
      query={query}
      errorTitle={messages.failed}
      pending={
        <SkeletonGroup label={messages.pending} className="grid gap-4">
          <Skeleton className="h-12 max-w-text" />
          <Skeleton className="h-150 rounded-panel" />
        </SkeletonGroup>
      }
    >
      {(stored) => (
        <AvailabilityEditor
          key={businessId}
          businessId={businessId}
          stored={stored}
          zone={zone}
          hours={hours}
          onSaved={onSaved}
        />
      )}
    </QueryState>
  )
}
