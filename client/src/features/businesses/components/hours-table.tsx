import { messages as ui } from '@/components/ui/messages'
import { cn } from '@/lib/cn'
import { wallClock, weekdays, zoneFrom } from '@/lib/time'
import { readerZone, zoneNote } from '@/lib/zone-note'
import { type DayHours, parseHours } from '../model/open-state'
import { messages } from '../page-messages'

function hoursOf(day: DayHours | undefined): string {
  if (!day?.isOpen) return messages.closedDay
  if (day.open === day.close) return messages.allDay
  return `${day.open} – ${day.close}`
}

/** Opening hours per weekday, with today marked (BIZ-13). */
export function HoursTable({
  stored,
  timeZone,
  now,
}: {
  stored: unknown
  timeZone: string
  now: Date
}) {
  const hours = parseHours(stored)
  if (hours?.kind === 'text') return <p>{hours.text}</p>
  if (hours === null || Object.keys(hours.days).length === 0) {
    return <p className="text-muted">{messages.noWeekHours}</p>
  }
  const zone = zoneFrom(timeZone)
  const { date, weekday: today } = wallClock(now, zone)
  const note = zoneNote({ date, zone }, readerZone())
  return (
    <>
      {note && <p className="text-sm text-muted">{note}</p>}
      <table className="nums w-full max-w-96 text-base">
        <caption className="sr-only">{messages.hours}</caption>
        <tbody>
          {weekdays.map((weekday) => {
            const isToday = weekday === today
            const text = hoursOf(hours.days[weekday])
            return (
              <tr key={weekday} className={cn(isToday && 'font-semibold')}>
                <th
                  scope="row"
                  className={cn('py-1 pe-6 text-start', isToday ? 'font-semibold' : 'font-normal')}
                >
                  {ui.weekdays[weekday]}
                  {isToday && <span className="ms-2 text-sm text-primary">{messages.today}</span>}
                </th>
                <td className={cn('py-1 text-end', text === messages.closedDay && 'text-muted')}>
                  {text}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </>
  )
}
