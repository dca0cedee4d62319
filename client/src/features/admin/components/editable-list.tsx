import type { UseQueryResult } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Column } from '@/components/data-table'
import { Button } from '@/components/ui/button'
import { showToast } from '@/components/ui/toast'
import type { Page } from '@/lib/paged'
import type { ListAddress } from '../model/use-list'
import { AdminList } from './admin-list'
import { editAndDelete } from './row-actions'

type Toast = Parameters<typeof showToast>[0]

type EditableListProps<Row extends { id: string }> = {
  words: Parameters<typeof AdminList>[0]['words'] & {
    error: string
    add: string
    added: string
    updated: string
    edit: string
    delete: string
  }
  address: ListAddress
  query: UseQueryResult<Page<Row>>
  columns: readonly Column<Row>[]
  nameOf: (row: Row) => string
  /** The dialog that adds a row (null) or edits one. */
  form: (props: {
    row: Row | null
    onSaved: (name: string) => void
    onClose: () => void
  }) => ReactNode
  /** The dialog that asks before a row is deleted; `onDone` takes what to report. */
  removal: (props: { row: Row; onDone: (toast: Toast) => void; onClose: () => void }) => ReactNode
}

type OpenDialog<Row> = { what: 'add' } | { what: 'edit' | 'delete'; row: Row }

/** A list whose rows are added, edited and deleted one by one. */
export function EditableList<Row extends { id: string }>(props: EditableListProps<Row>) {
  const { words, address, query, columns, nameOf, form, removal } = props
  const [dialog, setDialog] = useState<OpenDialog<Row> | null>(null)
  const [removals, setRemovals] = useState(0)
  const onClose = () => setDialog(null)
  return (
    <>
      <AdminList
        words={words}
        errorTitle={words.error}
        address={address}
        query={query}
        rowName={nameOf}
        columns={[
          ...columns,
          editAndDelete<Row>({
            words,
            nameOf,
            onEdit: (row) => setDialog({ what: 'edit', row }),
            onDelete: (row) => setDialog({ what: 'delete', row }),
          }),
        ]}
        actions={
          <Button onClick={() => setDialog({ what: 'add' })}>
            <Plus className="size-5" strokeWidth={1.75} aria-hidden />
            {words.add}
          </Button>
        }
        removals={removals}
      />
      {(dialog?.what === 'add' || dialog?.what === 'edit') &&
        form({
          row: dialog.what === 'add' ? null : dialog.row,
          onClose,
          onSaved: (name) => {
            onClose()
            const title = dialog.what === 'add' ? words.added : words.updated
            showToast({ title, text: name, tone: 'success' })
          },
        })}
      {dialog?.what === 'delete' &&
        removal({
          row: dialog.row,
          onClose,
          onDone: (toast) => {
            onClose()
            setRemovals(removals + 1)
            showToast(toast)
          },
        })}
    </>
  )
}
