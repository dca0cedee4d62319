import { showToast } from '@/components/ui/toast'
import { messages } from '../messages'

/** Shows that a business was created, and offers the next step (ERR-34). */
export function showCreated(onNext: () => void): void {
  showToast({
    title: messages.created,
    text: messages.createdText,
    tone: 'success',
    action: { label: messages.createdNext, onSelect: onNext },
  })
}
