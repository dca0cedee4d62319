import { formatDay } from '@/lib/time'
import { messages } from '../panel-messages'
import type { BookingFlow } from './use-booking'

/** Returns the button's text: its action, or what must still be selected. */
export function actionOf({
  service,
  date,
  time,
}: Pick<BookingFlow, 'service' | 'date' | 'time'>): string {
  if (!service) return messages.chooseService
  if (date === null) return messages.chooseDay
  if (time === null) return messages.chooseTime
  // 'Wed 25': the month is shown above the week.
  return messages.book(formatDay(date).split(' ').slice(0, 2).join(' '), time)
}
