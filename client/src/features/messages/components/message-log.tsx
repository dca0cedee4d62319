import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Button } from '@/components/ui/button'
import { ErrorState } from '@/components/ui/error-state'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { cn } from '@/lib/cn'
import { messagePhotoQuery, messagesQuery } from '../api/queries'
import { messages } from '../messages'
import { byDay, type Message, timeOf } from '../model/message'
import { useLogScroll } from '../model/use-log-scroll'

type MessageLogProps = { userId: string; conversationId: string; name: string }

/** The messages of a conversation by day, scrolled to the newest at the bottom. */
export function MessageLog({ userId, conversationId, name }: MessageLogProps) {
  const query = useInfiniteQuery(messagesQuery(userId, conversationId))
  const newestFirst = query.data?.pages.flatMap(({ items }) => items) ?? []
  const { box, onScroll } = useLogScroll(newestFirst)

  if (query.data === undefined) {
    return query.isError ? (
      <ErrorState title={messages.error} error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <LogSkeleton />
    )
  }
  const days = byDay(newestFirst, new Date())
  const lastRead = newestFirst.find(({ isMine, isRead }) => isMine && isRead)
  return (
    <div
      ref={box}
      onScroll={onScroll}
      role="log"
      aria-label={messages.log(name)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
      tabIndex={0}
      className="grid grid-cols-[minmax(0,1fr)] content-start gap-4 overflow-y-auto p-4"
    >
      {query.hasNextPage && (
        <div className="grid justify-items-center gap-2">
          {query.isFetchNextPageError && (
            <p role="alert" className="text-sm text-danger">
              {messages.moreError}
            </p>
          )}
          <Button
            variant="quiet"
            size="sm"
            pending={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {messages.earlier}
          </Button>
        </div>
      )}
      {days.map(({ day, label, items }) => (
        <section
          key={day}
          aria-labelledby={`day-${day}`}
          className="grid grid-cols-[minmax(0,1fr)] gap-2"
        >
          <h3
            id={`day-${day}`}
            className="justify-self-center font-text text-sm font-normal tracking-normal text-muted"
          >
            {label}
          </h3>
          {items.map((message) => (
            <Bubble
              key={message.id}
              message={message}
              name={name}
              isLastRead={message === lastRead}
            />
          ))}
        </section>
      ))}
    </div>
  )
}

type BubbleProps = {
  message: Message
  name: string
  /** The last one of the user's messages that the other party has read. */
  isLastRead: boolean
}

function Bubble({ message, name, isLastRead }: BubbleProps) {
  const { isMine, text, photos } = message
  return (
    <div
      className={cn(
        'flex max-w-[min(34rem,85%)] flex-wrap items-end justify-end gap-x-3 gap-y-2 rounded-card px-4 py-2.5',
        isMine ? 'justify-self-end bg-primary-soft' : 'justify-self-start bg-sunken',
      )}
    >
      <span className="sr-only">{isMine ? messages.you : name}:</span>
      {photos.map((photo) => (
        <SentPhoto key={photo} photo={photo} from={isMine ? messages.you : name} />
      ))}
      {text !== '' && <p className="grow whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>}
      <span className="nums text-xs text-muted">
        <time dateTime={message.sentAt}>{timeOf(message)}</time>
        {isLastRead && ` · ${messages.read}`}
      </span>
    </div>
  )
}

function SentPhoto({ photo, from }: { photo: string; from: string }) {
  const { data: address } = useQuery(messagePhotoQuery(photo))
  const look = 'aspect-4/3 w-64 max-w-full rounded-chip bg-surface object-cover'
  if (address === undefined) return <span className={look} />
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      <img src={address} alt={messages.photoOf(from)} loading="lazy" className={look} />
    </a>
  )
}

function LogSkeleton() {
  return (
    <SkeletonGroup label={messages.pending} className="grid content-end gap-3 p-4">
      <Skeleton className="h-12 w-2/3 rounded-card" />
      <Skeleton className="h-12 w-1/2 justify-self-end rounded-card" />
      <Skeleton className="h-20 w-2/3 rounded-card" />
    </SkeletonGroup>
  )
}
