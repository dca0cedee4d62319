import { showToast } from '@/components/ui/toast'
import { describeError } from '@/lib/error-text'

/** A failure as the app tells it: what failed, then why. */
export function tellFailure(title: string, error: unknown): void {
  showToast({ title, text: describeError(error), tone: 'danger' })
}
