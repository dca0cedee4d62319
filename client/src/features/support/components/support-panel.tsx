import { Alert } from '@/components/ui/alert'
import { messages } from '../messages'
import { TicketForm } from './ticket-form'
import { TicketList } from './ticket-list'

type SupportPanelProps = {
  userId: string
  /** The plan includes priority support (SUB-07). */
  isPriority: boolean
  /** The open question; '' for none. */
  openId: string
  onOpen: (id: string) => void
}

/** Questions to the administrators: a form, and the previous ones. */
export function SupportPanel({ userId, isPriority, openId, onOpen }: SupportPanelProps) {
  return (
    <div className="grid max-w-text gap-12">
      <section className="grid gap-5" aria-labelledby="support-write">
        <div className="grid gap-1.5">
          <h2 id="support-write" className="text-xl">
            {messages.title}
          </h2>
          <p className="text-muted">{messages.text}</p>
        </div>
        {isPriority && (
          <Alert tone="success" title={messages.priority}>
            {messages.priorityText}
          </Alert>
        )}
        <TicketForm userId={userId} />
      </section>
      <section className="grid gap-4" aria-labelledby="support-own">
        <h2 id="support-own" className="text-xl">
          {messages.own}
        </h2>
        <TicketList userId={userId} openId={openId} onOpen={onOpen} />
      </section>
    </div>
  )
}
