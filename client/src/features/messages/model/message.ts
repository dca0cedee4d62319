import { addDays, formatDay, formatMinutes, wallClock } from '@/lib/time'

/** A message; `photos` are names of objects in the bucket message-photos. */
export type Message = {
  id: string
  isMine: boolean
  text: string
  photos: readonly string[]
  sentAt: string
  /** The recipient has read it. */
  isRead: boolean
}

/** The messages of one day, oldest first. */
export type MessageDay = { day: string; label: string; items: Message[] }

/** The time zone in which days begin: the market's, the same for all readers. */
const zone = 'Europe/Madrid'

const words = { today: 'Today', yesterday: 'Yesterday' } as const

function labelOf(day: string, today: string): string {
  if (day === today) return words.today
  if (day === addDays(today, -1)) return words.yesterday
  return day.startsWith(today.slice(0, 4)) ? formatDay(day) : `${formatDay(day)} ${day.slice(0, 4)}`
}

/** Groups messages by day, oldest first; they are given newest first. */
export function byDay(newestFirst: readonly Message[], now: Date): MessageDay[] {
  const today = wallClock(now, zone).date
  const days: MessageDay[] = []
  for (const message of newestFirst.toReversed()) {
    const day = wallClock(new Date(message.sentAt), zone).date
    const last = days.at(-1)
    if (last?.day === day) last.items.push(message)
    else days.push({ day, label: labelOf(day, today), items: [message] })
  }
  return days
}

/** Returns the time of day at which a message was sent, such as 17:05. */
export function timeOf({ sentAt }: Message): string {
  return formatMinutes(wallClock(new Date(sentAt), zone).minutes)
}
