import { showToast } from '@/components/ui/toast'
import { filterMessages } from '@/features/search/filter-messages'
import { requestPosition } from '@/lib/position'

/**
 * Returns the visitor's position; null if it is not available, which a toast says, or if nobody
 * waits for it any more.
 */
export async function nearPosition(isWanted: () => boolean): Promise<string | null> {
  const near = await requestPosition()
  if (!isWanted()) return null
  if (near === null) {
    showToast({ title: filterMessages.noPosition, text: filterMessages.noPositionText })
  }
  return near
}
