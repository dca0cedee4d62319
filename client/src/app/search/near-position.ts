import { showToast } from '@/components/ui/toast'
import { filterMessages } from '@/features/search/filter-messages'
import { askPosition } from '@/lib/position'

/** Where the visitor is; null, and a word about it, where that cannot be known. */
export async function nearPosition(): Promise<string | null> {
  const near = await askPosition()
  if (near === null) {
    showToast({ title: filterMessages.noPosition, text: filterMessages.noPositionText })
  }
  return near
}
