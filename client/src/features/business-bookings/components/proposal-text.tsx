import { cn } from '@/lib/cn'
import { formatDay } from '@/lib/time'
import { messages } from '../messages'
import type { BusinessBooking } from '../model/business-booking'

type ProposalTextProps = {
  proposal: NonNullable<BusinessBooking['proposal']>
  className?: string
}

/** Says who proposes which time. */
export function ProposalText({ proposal, className }: ProposalTextProps) {
  const when = `${formatDay(proposal.date)}, ${proposal.start}`
  return (
    <span className={cn('nums text-primary', className)}>
      {proposal.isOwn ? messages.proposed(when) : messages.asksFor(when)}
    </span>
  )
}
