import { isSitePath } from '@/lib/return-path'
import { addDays, formatDay, formatMinutes, wallClock } from '@/lib/time'
import { messages } from '../messages'

/** What a notification can be about (NOTIF-01). */
export const notificationTypes = ['booking', 'message', 'review', 'other'] as const
export type NotificationType = (typeof notificationTypes)[number]

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

/** How long ago, as people say it: 'Just now', '5 min ago', '3 h ago', 'Yesterday', 'Wed 25 Nov'. */
export function agoLabel(createdAt: string, now: Date): string {
  const at = new Date(createdAt)
  const minutes = Math.max(0, Math.floor((now.valueOf() - at.valueOf()) / 60_000))
  if (minutes < 1) return messages.now
  if (minutes < 60) return messages.minutes(minutes)
  // The reader's own day would do as well; one zone keeps the words the same everywhere.
  const then = wallClock(at, 'Europe/Madrid')
  const today = wallClock(now, 'Europe/Madrid').date
  if (then.date === today) return messages.hours(Math.floor(minutes / 60))
  const time = formatMinutes(then.minutes)
  if (then.date === addDays(today, -1)) return `${messages.yesterday}, ${time}`
  const year = then.date.slice(0, 4)
  return today.startsWith(year) ? formatDay(then.date) : `${formatDay(then.date)} ${year}`
}
