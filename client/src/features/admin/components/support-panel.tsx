import { useQuery } from '@tanstack/react-query'
import { Eye, MessageSquareReply } from 'lucide-react'
import { useState } from 'react'
import type { Column } from '@/components/data-table'
import { Badge } from '@/components/ui/badge'
import { showToast } from '@/components/ui/toast'
import { type AdminTicket, ticketsQuery } from '../api/support'
import { messages } from '../messages'
import { ticketList, ticketStates } from '../model/ticket'
import { useList } from '../model/use-list'
import { dayText } from '../model/words'
import { AdminList } from './admin-list'
import { ChoiceFilter } from './choice-filter'
import { RowActions } from './row-actions'
import { TicketDialog } from './ticket-dialog'

const texts = messages.support

/** Questions to the administrators: reading, answering, searching (SUB-07). */
export function SupportPanel() {
  const address = useList(ticketList)
  const query = useQuery(ticketsQuery(address.list))
  const [open, setOpen] = useState<AdminTicket | null>(null)
  const [removals, setRemovals] = useState(0)
  return (
    <>
      <AdminList
        words={texts}
        errorTitle={texts.error}
        address={address}
        query={query}
        rowName={({ subject }) => subject}
        columns={columns(setOpen)}
        filter={
          <ChoiceFilter
            address={address}
            name="state"
            label={texts.state}
            any={texts.anyState}
            options={ticketStates.map((state) => ({ value: state, label: texts.states[state] }))}
          />
        }
        removals={removals}
      />
      {open && (
        <TicketDialog
          ticket={open}
          onClose={() => setOpen(null)}
          onAnswered={() => {
            setOpen(null)
            setRemovals(removals + 1)
            showToast({ title: texts.sent, text: texts.sentText(nameOf(open)), tone: 'success' })
          }}
        />
      )}
    </>
  )
}

const nameOf = ({ writer }: AdminTicket) => writer?.full_name ?? messages.users.unnamed

function columns(onOpen: (ticket: AdminTicket) => void): Column<AdminTicket>[] {
  return [
    {
      key: 'subject',
      header: texts.subject,
      isTitle: true,
      cell: ({ subject, is_priority, answer }) => (
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-semibold [overflow-wrap:anywhere]">{subject}</span>
          {is_priority && answer === null && <Badge tone="warning">{texts.priority}</Badge>}
        </span>
      ),
    },
    {
      key: 'from',
      header: texts.from,
      cell: (ticket) => <span className="block min-w-32">{nameOf(ticket)}</span>,
    },
    {
      key: 'asked',
      header: texts.asked,
      cell: ({ created_at }) => <span className="whitespace-nowrap">{dayText(created_at)}</span>,
    },
    {
      key: 'state',
      header: texts.state,
      cell: ({ answer }) => (
        <Badge tone={answer === null ? 'primary' : 'success'}>
          {texts.states[answer === null ? 'open' : 'answered']}
        </Badge>
      ),
    },
    {
      key: 'actions',
      header: messages.actions,
      align: 'end',
      isActions: true,
      cell: (ticket) => (
        <RowActions
          name={ticket.subject}
          actions={[
            {
              label: ticket.answer === null ? texts.answer : texts.read,
              icon: ticket.answer === null ? MessageSquareReply : Eye,
              onSelect: () => onOpen(ticket),
            },
          ]}
        />
      ),
    },
  ]
}
