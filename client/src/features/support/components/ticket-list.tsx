import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { PagedList } from '@/components/paged-list'
import { Alert } from '@/components/ui/alert'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { ticketQuery, ticketsQuery } from '../api/queries'
import { messages } from '../messages'
import { TicketItem } from './ticket-item'

type TicketListProps = {
  userId: string
  /** The open question, stored in the URL; '' for none. */
  openId: string
  onOpen: (id: string) => void
}

/** The user's questions, with the answers. */
export function TicketList({ userId, openId, onOpen }: TicketListProps) {
  const list = useInfiniteQuery(ticketsQuery(userId))
  // The open one is fetched separately: an old one may be on a later page, and have a new answer.
  const open = useQuery({ ...ticketQuery(userId, openId), enabled: openId !== '' })
  const listed = list.data?.pages.flatMap(({ items }) => items) ?? []
  const isApart = list.isSuccess && openId !== '' && listed.every(({ id }) => id !== openId)
  const toggle = (id: string) => onOpen(id === openId ? '' : id)
  return (
    <div className="grid gap-3">
      {isApart && open.data && (
        <TicketItem ticket={open.data} isOpen onToggle={() => toggle(openId)} />
      )}
      {isApart && open.data === null && (
        <Alert tone="warning" title={messages.missing}>
          {messages.missingText}
        </Alert>
      )}
      <PagedList
        query={list}
        pending={
          <SkeletonGroup label={messages.pending} className="grid gap-3">
            <Skeleton className="h-18 rounded-card" />
            <Skeleton className="h-18 rounded-card" />
          </SkeletonGroup>
        }
        empty={isApart && open.data ? null : <p className="text-muted">{messages.empty}</p>}
        words={messages}
        className="grid gap-3"
      >
        {(ticket) => {
          const isOpen = ticket.id === openId
          return (
            <TicketItem
              ticket={(isOpen && open.data) || ticket}
              isOpen={isOpen}
              onToggle={() => toggle(ticket.id)}
            />
          )
        }}
      </PagedList>
    </div>
  )
}
