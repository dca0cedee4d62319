import { Bell, CalendarDays, MessageSquare, Star } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { agoLabel } from '@/lib/ago'
import { cn } from '@/lib/cn'
import { messages } from '../messages'
import type { Notification } from '../model/notification'

const icons = { booking: CalendarDays, message: MessageSquare, review: Star, other: Bell }

type NotificationItemProps = {
  item: Notification
  now: Date
  /** Called when its link is opened. */
  onFollow: (item: Notification) => void
  action?: ReactNode
  headingLevel?: 'h2' | 'h3'
}

/** A notification; unread ones have a mark that screen readers announce. */
export function NotificationItem({
  item,
  now,
  onFollow,
  action,
  headingLevel: Heading = 'h3',
}: NotificationItemProps) {
  const Icon = icons[item.type]
  return (
    <article
      className={cn(
        'relative grid grid-cols-[auto_1fr_auto] items-start gap-x-3 rounded-control px-3 py-3',
        !item.isRead && 'bg-primary-soft',
        item.link !== null && 'hover:bg-sunken',
      )}
    >
      <span className="mt-0.5 grid size-8 place-items-center rounded-full border border-line bg-surface">
        <Icon className="size-4 text-muted" strokeWidth={1.75} aria-hidden />
        <span className="sr-only">{messages.types[item.type]}</span>
      </span>
      <div className="grid min-w-0 gap-0.5">
        <Heading className="font-text text-base tracking-normal [overflow-wrap:anywhere]">
          {item.link === null ? (
            item.title
          ) : (
            <Link
              to={item.link}
              className="after:absolute after:inset-0 after:rounded-control"
              onClick={() => onFollow(item)}
            >
              {item.title}
            </Link>
          )}
          {!item.isRead && (
            <>
              <span
                className="ms-2 inline-block size-2 rounded-full bg-primary align-middle"
                aria-hidden
              />
              <span className="sr-only">, {messages.unread}</span>
            </>
          )}
        </Heading>
        <p className="text-sm text-ink [overflow-wrap:anywhere]">{item.content}</p>
        <time dateTime={item.createdAt} className="nums text-xs text-muted">
          {agoLabel(item.createdAt, now)}
        </time>
      </div>
      {action !== undefined && <div className="relative">{action}</div>}
    </article>
  )
}
