import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { filterMessages } from '../filter-messages'
import { messages } from '../messages'
import type { CategoryChoice } from './category-select'
import { type FilterDraft, FilterFields } from './filter-fields'

type FilterSheetProps = {
  open: boolean
  /** The filters as they are when it opens. */
  start: FilterDraft
  categories: readonly CategoryChoice[]
  onApply: (filters: FilterDraft) => void
  /** Called when it has shut, whatever was pressed. */
  onClose: () => void
}

const noFilters: FilterDraft = { category: '', rating: 0, amenities: [] }

/** All filters in a sheet; they act together when it is left by a button. */
export function FilterSheet({ open, start, categories, onApply, onClose }: FilterSheetProps) {
  const [draft, setDraft] = useState(start)
  const [wasOpen, setWasOpen] = useState(open)
  if (open !== wasOpen) {
    setWasOpen(open)
    if (open) setDraft(start)
  }
  const apply = (filters: FilterDraft) => {
    onClose()
    onApply(filters)
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={messages.filters}
      shape="sheet"
      footer={
        <>
          <Button variant="outline" onClick={() => apply(noFilters)}>
            {filterMessages.clearAll}
          </Button>
          <Button onClick={() => apply(draft)}>{filterMessages.show}</Button>
        </>
      }
    >
      <FilterFields categories={categories} value={draft} onChange={setDraft} />
    </Dialog>
  )
}
