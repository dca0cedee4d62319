import { type ReactNode, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { filterMessages } from '../filter-messages'
import { messages } from '../messages'
import { type FilterDraft, noFilters } from '../model/filter-draft'
import { FilterFields, type FilterFieldsProps } from './filter-fields'

type FilterSheetProps = Pick<FilterFieldsProps, 'categories' | 'findLoc'> & {
  open: boolean
  /** The filters when it opens. */
  start: FilterDraft
  /** The label of the button that applies them. */
  showLabel: (draft: FilterDraft) => ReactNode
  onApply: (filters: FilterDraft & { bounds?: string }) => void
  /** Called when it has closed, whatever was pressed. */
  onClose: () => void
}

/** All filters in a sheet; they are applied together when one of its buttons closes it. */
export function FilterSheet({
  open,
  start,
  categories,
  findLoc,
  showLabel,
  onApply,
  onClose,
}: FilterSheetProps) {
  const [draft, setDraft] = useState(start)
  const [wasOpen, setWasOpen] = useState(open)
  if (open !== wasOpen) {
    setWasOpen(open)
    if (open) setDraft(start)
  }
  const apply = (filters: FilterDraft & { bounds?: string }) => {
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
          <Button variant="outline" onClick={() => apply({ ...noFilters, bounds: '' })}>
            {filterMessages.clearAll}
          </Button>
          <Button className="min-w-52" onClick={() => apply(draft)}>
            {showLabel(draft)}
          </Button>
        </>
      }
    >
      <FilterFields categories={categories} findLoc={findLoc} value={draft} onChange={setDraft} />
    </Dialog>
  )
}
