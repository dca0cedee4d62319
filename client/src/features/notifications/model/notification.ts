import { isSitePath } from '@/lib/return-path'

/** What a notification can be about (NOTIF-01). */
const notificationTypes = ['booking', 'message', 'review', 'other'] as const
type NotificationType = (typeof notificationTypes)[number]

export type Notification = {
  id: string
  type: NotificationType
  title: string
  content: string
  /** The page it is about; null when there is none. */
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

/** A stored row as the screens use it; an unknown type counts as other, a foreign link as none. */
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

const mostShown = 9

/** The number on the bell: '9+' is as far as it counts. */
export function badgeText(unread: number): string {
  return unread > mostShown ? `${mostShown}+` : String(unread)
}
