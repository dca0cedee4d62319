import { ChevronDown } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import { Badge } from '@/components/ui/badge'
import { agoLabel } from '@/lib/ago'
import { cn } from '@/lib/cn'
import { messages } from '../messages'
import type { Ticket } from '../model/ticket'

type TicketItemProps = { ticket: Ticket; isOpen: boolean; onToggle: () => void }

/** A question in one line; expanded, it shows its text and the answer. */
export function TicketItem({ ticket, isOpen, onToggle }: TicketItemProps) {
  const id = useId()
  const item = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isOpen) item.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen])
  const now = new Date()
  return (
    <div ref={item} className="scroll-my-24 rounded-card border border-line bg-surface">
      <h3 className="font-text tracking-normal text-pretty">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          className="flex w-full items-center gap-3 rounded-card px-4 py-3 text-start hover:bg-sunken"
          onClick={onToggle}
        >
          <span className="grid min-w-0 flex-1 gap-1">
            <span className="text-base font-semibold [overflow-wrap:anywhere]">
              {ticket.subject}
            </span>
            <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <TicketStatus ticket={ticket} />
              <span className="text-sm font-normal text-muted">
                {messages.asked(agoLabel(ticket.created_at, now))}
              </span>
            </span>
          </span>
          <ChevronDown
            className={cn('size-5 shrink-0 transition-transform', isOpen && 'rotate-180')}
            strokeWidth={1.75}
            aria-hidden
          />
        </button>
      </h3>
      <div id={id} hidden={!isOpen} className="grid gap-4 px-4 pt-1 pb-4">
        <p className="whitespace-pre-line [overflow-wrap:anywhere]">{ticket.message}</p>
        {ticket.answer !== null && ticket.answered_at !== null && (
          <div className="grid gap-1 rounded-control bg-primary-soft p-4">
            <h4 className="font-text text-sm font-semibold tracking-normal">
              {messages.answer(agoLabel(ticket.answered_at, now))}
            </h4>
            <p className="whitespace-pre-line [overflow-wrap:anywhere]">{ticket.answer}</p>
          </div>
        )}
      </div>
    </div>
  )
}

function TicketStatus({ ticket }: { ticket: Ticket }) {
  if (ticket.answer !== null) return <Badge tone="success">{messages.answered}</Badge>
  return (
    <Badge tone={ticket.is_priority ? 'primary' : 'neutral'}>
      {ticket.is_priority ? messages.first : messages.waiting}
    </Badge>
  )
}
