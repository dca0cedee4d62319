import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { QueryState } from '@/components/query-state'
import { EmptyState } from '@/components/ui/empty-state'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { conversationQuery, conversationWithQuery } from '../api/queries'
import { messages } from '../messages'
import type { Conversation } from '../model/conversation'
import { ConversationPane } from './conversation-pane'
import { FirstMessage } from './first-message'

type OpenConversationProps = {
  userId: string
  conversationId: string | null
  /** The business to which a visitor of its page wants to write. */
  businessId: string | null
  topCategoryOf: (category: string) => string
  onRead: () => void
  onReport: (conversation: Conversation) => void
  /** Called when the conversation's id is known: it existed, or the first message created it. */
  onFound: (conversationId: string) => void
}

const frame =
  'h-[calc(100dvh-7rem)] min-h-96 overflow-hidden rounded-card border border-line bg-surface *:h-full [&>div>div]:h-full lg:h-[calc(100dvh-12rem)]'

/** The content next to the list: a conversation, the start of one, or a hint. */
export function OpenConversation({ conversationId, businessId, ...rest }: OpenConversationProps) {
  if (conversationId !== null) {
    return (
      <div className={frame}>
        <ExistingConversation {...rest} id={conversationId} />
      </div>
    )
  }
  if (businessId !== null) {
    return (
      <div className={frame}>
        <WithBusiness {...rest} businessId={businessId} />
      </div>
    )
  }
  return (
    <p className="grid min-h-96 place-items-center rounded-card border border-line p-6 text-center text-muted max-lg:hidden">
      {messages.choose}
    </p>
  )
}

type Rest = Omit<OpenConversationProps, 'conversationId' | 'businessId'>

function ExistingConversation({
  id,
  userId,
  topCategoryOf,
  onRead,
  onReport,
}: Rest & { id: string }) {
  const query = useQuery(conversationQuery(userId, id))
  return (
    <QueryState
      query={query}
      errorTitle={messages.error}
      pending={<PaneSkeleton />}
      isEmpty={(conversation) => conversation === null}
      empty={<EmptyState title={messages.missing} text={messages.missingText} />}
    >
      {(conversation) =>
        conversation && (
          <ConversationPane
            key={conversation.id}
            userId={userId}
            conversation={conversation}
            topCategoryOf={topCategoryOf}
            onRead={onRead}
            onReport={onReport}
          />
        )
      }
    </QueryState>
  )
}

function WithBusiness({
  businessId,
  userId,
  topCategoryOf,
  onFound,
}: Rest & { businessId: string }) {
  const query = useQuery(conversationWithQuery(userId, businessId))
  const found = query.data?.id
  useEffect(() => {
    if (found !== undefined) onFound(found)
  }, [found, onFound])
  return (
    <QueryState query={query} errorTitle={messages.error} pending={<PaneSkeleton />}>
      {(conversation) =>
        conversation === null ? (
          <FirstMessage
            userId={userId}
            businessId={businessId}
            topCategoryOf={topCategoryOf}
            onSent={(id) => {
              void import('@/lib/visits').then(({ recordVisit }) =>
                recordVisit('message', businessId),
              )
              if (id !== null) onFound(id)
            }}
          />
        ) : (
          <PaneSkeleton />
        )
      }
    </QueryState>
  )
}

function PaneSkeleton() {
  return (
    <SkeletonGroup label={messages.pending} className="grid gap-4 p-3">
      <Skeleton className="h-11 rounded-control" />
      <Skeleton className="h-40 rounded-card" />
    </SkeletonGroup>
  )
}
