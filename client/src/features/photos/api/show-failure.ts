import { showToast } from '@/components/ui/toast'
import { describeError } from '@/lib/error-text'

/** Shows a failure as a toast: what failed, and why. */
export function showFailure(title: string, error: unknown): void {
  showToast({ title, text: describeError(error), tone: 'danger' })
}
