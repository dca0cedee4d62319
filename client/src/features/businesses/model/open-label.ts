import { messages as ui } from '@/components/ui/messages'
import { messages } from '../messages'
import type { Hours, OpenState } from './open-state'

/** Returns a card's text for the opening hours (SEARCH-22), and whether the business is open. */
export function openLabel(
  hours: Hours | null,
  state: OpenState,
): { text: string; isOpen: boolean } {
  if (state.state === 'open') {
    const text = state.until === 'all-day' ? messages.openAllDay : messages.openUntil(state.until)
    return { text, isOpen: true }
  }
  if (state.state === 'unknown') {
    return { text: hours?.kind === 'text' ? hours.text : messages.noHours, isOpen: false }
  }
  if (state.opens === null) return { text: messages.closed, isOpen: false }
  const { at, inDays, weekday } = state.opens
  return {
    text: inDays === 0 ? messages.opensAt(at) : messages.opensOn(ui.shortWeekdays[weekday], at),
    isOpen: false,
  }
}
