import { useQuery } from '@tanstack/react-query'
import { MessageCircle } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '@/lib/paths'
import { unreadMessagesQuery } from '../api/queries'

const most = 9

/** A link to the user's messages, with the unread count. `nameOf` gives its name in the page's language. */
export function MessagesLink({ userId, nameOf }: MessagesLinkProps) {
  const { data: unread = 0 } = useQuery(unreadMessagesQuery(userId))
  return (
    <Link
      to={paths.allMessages}
      className="hit relative inline-flex items-center justify-center rounded-control hover:bg-sunken"
    >
      <MessageCircle className="size-5" strokeWidth={1.75} aria-hidden />
      <span className="sr-only">{nameOf(unread)}</span>
      {unread > 0 && (
        <span
          aria-hidden
          className="nums absolute top-1 right-0.5 min-w-5 rounded-full bg-primary px-1 text-center text-xs font-semibold text-on-primary"
        >
          {unread > most ? `${most}+` : unread}
        </span>
      )}
    </Link>
  )
}

interface MessagesLinkProps {
  userId: string
  nameOf: (unread: number) => string
}
