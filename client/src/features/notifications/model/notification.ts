import { isSitePath } from '@/lib/return-path'

/** The types of notifications (NOTIF-01). */
const notificationTypes = ['booking', 'message', 'review', 'other'] as const
type NotificationType = (typeof notificationTypes)[number]

export type Notification = {
  id: string
  type: NotificationType
  title: string
  content: string
  /** The page it links to; null if there is none. */
  link: string | null
  isRead: boolean
  createdAt: string
}

export type NotificationRow = {
  id: string
  type: string
  title: string
  content: string
  link: string | null
  read: boolean
  created_at: string
}

/** Converts a stored row; an unknown type counts as other, and an external link is dropped. */
export function toNotification(row: NotificationRow): Notification {
  return {
    id: row.id,
    type: notificationTypes.find((type) => type === row.type) ?? 'other',
    title: row.title,
    content: row.content,
    link: row.link !== null && isSitePath(row.link) ? row.link : null,
    isRead: row.read,
    createdAt: row.created_at,
  }
}

const maxShown = 9

/** Returns the number on the bell, at most '9+'. */
export function badgeText(unread: number): string {
  return unread > maxShown ? `${maxShown}+` : String(unread)
}
