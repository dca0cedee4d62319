import { cn } from '@/lib/cn'
import { zoneFrom } from '@/lib/time'
import type { CardBusiness } from '../model/business-card'
import { openLabel } from '../model/open-label'
import { openState, parseHours } from '../model/open-state'

/** 'Open until 20:00', 'Opens Mon 09:00', the stored text, or 'Hours not available'. */
export function OpenLine({
  business,
  now,
}: {
  business: Pick<CardBusiness, 'hours' | 'time_zone'>
  now: Date
}) {
  const hours = parseHours(business.hours)
  const { text, isOpen } = openLabel(hours, openState(hours, now, zoneFrom(business.time_zone)))
  return (
    <p className={cn('text-sm', isOpen ? 'font-semibold text-success' : 'text-muted')}>{text}</p>
  )
}
