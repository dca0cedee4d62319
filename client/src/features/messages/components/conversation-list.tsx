import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { PagedList } from '@/components/paged-list'
import { ButtonLink } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { agoLabel } from '@/lib/ago'
import { cn } from '@/lib/cn'
import { paths } from '@/lib/paths'
import { conversationsQuery } from '../api/queries'
import { messages } from '../messages'
import type { Conversation } from '../model/conversation'
import { PartyAvatar } from './party-avatar'

type ConversationListProps = {
  userId: string
  /** The conversation that is open next to the list. */
  current: string | null
  topCategoryOf: (category: string) => string
}

/** The user's conversations, the latest first, with unread counts. */
export function ConversationList({ userId, current, topCategoryOf }: ConversationListProps) {
  const query = useInfiniteQuery(conversationsQuery(userId))
  const now = new Date()
  return (
    <nav aria-label={messages.list}>
      <PagedList
        query={query}
        pending={<ListSkeleton />}
        empty={
          <EmptyState
            title={messages.empty}
            text={messages.emptyText}
            action={<ButtonLink to={paths.search()}>{messages.search}</ButtonLink>}
          />
        }
        words={messages}
        className="grid gap-1"
      >
        {(conversation) => (
          <ConversationLink
            conversation={conversation}
            isCurrent={conversation.id === current}
            now={now}
            topCategoryOf={topCategoryOf}
          />
        )}
      </PagedList>
    </nav>
  )
}

type ConversationLinkProps = {
  conversation: Conversation
  isCurrent: boolean
  now: Date
  topCategoryOf: (category: string) => string
}

function ConversationLink({ conversation, isCurrent, now, topCategoryOf }: ConversationLinkProps) {
  const { id, name, business, isOwner, lastLine, lastAt, unread } = conversation
  return (
    <Link
      to={paths.conversation(id)}
      aria-current={isCurrent ? 'page' : undefined}
      className={cn(
        'grid min-h-16 grid-cols-[auto_1fr_auto] items-center gap-x-3 rounded-control p-3 hover:bg-sunken',
        isCurrent && 'bg-primary-soft',
      )}
    >
      <PartyAvatar party={conversation} topCategoryOf={topCategoryOf} />
      <span className="grid min-w-0">
        <span className="truncate font-semibold">{name}</span>
        {isOwner && business && (
          <span className="truncate text-sm text-muted">{messages.about(business.name)}</span>
        )}
        <span className={cn('truncate text-sm', unread > 0 ? 'font-semibold' : 'text-muted')}>
          {lastLine}
        </span>
      </span>
      <span className="grid justify-items-end gap-1 self-start">
        <span className="nums text-xs text-muted">{agoLabel(lastAt, now)}</span>
        {unread > 0 && (
          <span className="nums min-w-5 rounded-full bg-primary px-1.5 text-center text-xs font-semibold text-on-primary">
            <span aria-hidden>{unread}</span>
            <span className="sr-only">{messages.unread(unread)}</span>
          </span>
        )}
      </span>
    </Link>
  )
}

function ListSkeleton() {
  return (
    <SkeletonGroup label={messages.pending} className="grid gap-1">
      {['a', 'b', 'c', 'd', 'e'].map((key) => (
        <Skeleton key={key} className="h-16 rounded-control" />
      ))}
    </SkeletonGroup>
  )
}
