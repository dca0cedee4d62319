import { showToast } from '@/components/ui/toast'
import { filterMessages } from '@/features/search/filter-messages'
import { requestPosition } from '@/lib/position'

/** Returns the visitor's position; null, and a toast, if it is not available. */
export async function nearPosition(): Promise<string | null> {
  const near = await requestPosition()
  if (near === null) {
    showToast({ title: filterMessages.noPosition, text: filterMessages.noPositionText })
  }
  return near
}
