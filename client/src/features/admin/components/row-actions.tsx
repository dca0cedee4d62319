import { type LucideIcon, Pencil, Trash2 } from 'lucide-react'
import { Link } from 'react-router'
import type { Column } from '@/components/data-table'
import { buttonClass } from '@/components/ui/button'
import { Tooltip } from '@/components/ui/tooltip'
import { cn } from '@/lib/cn'
import { messages } from '../messages'

type RowAction = {
  label: string
  icon: LucideIcon
  tone?: 'danger'
} & ({ to: string } | { onSelect: () => void })

type RowActionsProps = {
  /** The name of the row, for screen readers. */
  name: string
  actions: readonly RowAction[]
}

/** The actions of a row: icons in a table, text in a card. */
export function RowActions({ name, actions }: RowActionsProps) {
  return (
    <div className="flex max-sm:flex-wrap sm:justify-end">
      {actions.map((action) => {
        const { label, icon: Icon, tone } = action
        const look = buttonClass(
          { variant: 'quiet' },
          cn('sm:w-11 sm:px-0', tone === 'danger' && 'text-danger'),
        )
        const content = (
          <>
            <Icon className="size-5" strokeWidth={1.75} aria-hidden />
            <span className="sm:sr-only">{label}</span>
            <span className="sr-only">{name}</span>
          </>
        )
        return (
          <Tooltip key={label} text={label}>
            {'to' in action ? (
              <Link to={action.to} className={look}>
                {content}
              </Link>
            ) : (
              <button type="button" className={look} onClick={action.onSelect}>
                {content}
              </button>
            )}
          </Tooltip>
        )
      })}
    </div>
  )
}

type EditAndDelete<Row> = {
  words: { edit: string; delete: string }
  nameOf: (row: Row) => string
  onEdit: (row: Row) => void
  onDelete: (row: Row) => void
}

/** The column with the edit and delete actions. */
export function editAndDelete<Row>(props: EditAndDelete<Row>): Column<Row> {
  const { words, nameOf, onEdit, onDelete } = props
  return {
    key: 'actions',
    header: messages.actions,
    align: 'end',
    isActions: true,
    cell: (row) => (
      <RowActions
        name={nameOf(row)}
        actions={[
          { label: words.edit, icon: Pencil, onSelect: () => onEdit(row) },
          { label: words.delete, icon: Trash2, tone: 'danger', onSelect: () => onDelete(row) },
        ]}
      />
    ),
  }
}
