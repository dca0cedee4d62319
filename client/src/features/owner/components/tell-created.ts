import { showToast } from '@/components/ui/toast'
import { messages } from '../messages'

/** Says that a business is stored, and offers what comes next (ERR-34). */
export function tellCreated(onNext: () => void): void {
  showToast({
    title: messages.created,
    text: messages.createdText,
    tone: 'success',
    action: { label: messages.createdNext, onSelect: onNext },
  })
}
