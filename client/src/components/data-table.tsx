import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '@/lib/cn'
import { Table, Td, Th, Tr } from './ui/table'

export type Column<Row> = {
  key: string
  header: string
  cell: (row: Row) => ReactNode
  /** Makes the header a button; the server sorts, by this column's key. */
  isSortable?: boolean
  align?: 'start' | 'end'
  /** The title of a row's card on phones. One column has it. */
  isTitle?: boolean
  /** Hidden when the table is narrow; cards show it. */
  isMinor?: boolean
  /**
   * Contains the buttons of a row, which stay visible while the table scrolls; on phones they are
   * below its card. At most one column has it.
   */
  isActions?: boolean
}

export type Sort = { key: string; descending: boolean }

/** The selected rows, on this page and on others. */
type Selection<Row> = {
  selected: ReadonlySet<string>
  /** Rows of this page that were selected or deselected; the selection on other pages is kept. */
  onToggle: (rows: readonly Row[], isSelected: boolean) => void
  /** Rows without any available action have no checkbox. */
  isSelectable?: (row: Row) => boolean
}

type DataTableProps<Row> = {
  caption: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  rowId: (row: Row) => string
  /** The name of a row, for its checkbox. */
  rowName: (row: Row) => string
  sort?: Sort
  onSort?: (sort: Sort) => void
  selection?: Selection<Row>
}

/** A table on wide screens and a list of cards on phones, from one set of columns. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  return (
    <>
      <div className="max-sm:hidden">
        <WideTable {...props} />
      </div>
      <CardList {...props} />
    </>
  )
}

function WideTable<Row>(props: DataTableProps<Row>) {
  const { caption, rows, columns, rowId, sort, onSort, selection } = props
  return (
    <Table caption={caption}>
      <thead>
        <tr>
          {selection && (
            <Th className="w-14 px-0">
              <SelectAll {...props} selection={selection} />
            </Th>
          )}
          {columns.map((column) => (
            <HeaderCell key={column.key} column={column} sort={sort} onSort={onSort} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Tr key={rowId(row)} className="bg-ground">
            {selection && (
              <Td className="px-0">
                <RowCheckbox {...props} row={row} selection={selection} />
              </Td>
            )}
            {columns.map((column) => (
              <Td
                key={column.key}
                className={cn(cellClass(column), column.isActions && 'bg-inherit')}
              >
                {column.cell(row)}
              </Td>
            ))}
          </Tr>
        ))}
      </tbody>
    </Table>
  )
}

// Fades out what scrolls below the actions.
const pinned =
  'sticky end-0 z-1 before:pointer-events-none before:absolute before:inset-y-0 before:-start-4 before:w-4 before:bg-inherit before:mask-[linear-gradient(to_right,transparent,black)]'

function cellClass<Row>({ align, isMinor, isActions }: Column<Row>): string {
  return cn(align === 'end' && 'text-end!', isMinor && 'max-lg:hidden', isActions && pinned)
}

function HeaderCell<Row>({
  column,
  sort,
  onSort,
}: {
  column: Column<Row>
  sort: Sort | undefined
  onSort: ((sort: Sort) => void) | undefined
}) {
  const look = cellClass(column)
  if (!column.isSortable || !onSort) return <Th className={look}>{column.header}</Th>
  const sorted = sort?.key === column.key ? sort : undefined
  const Arrow = sorted ? (sorted.descending ? ArrowDown : ArrowUp) : ArrowUpDown
  return (
    <Th
      className={look}
      aria-sort={sorted ? (sorted.descending ? 'descending' : 'ascending') : undefined}
    >
      <button
        type="button"
        className="inline-flex min-h-11 items-center gap-1.5 hover:text-ink"
        onClick={() => onSort({ key: column.key, descending: sorted ? !sorted.descending : false })}
      >
        {column.header}
        <Arrow className={cn('size-4', !sorted && 'opacity-50')} strokeWidth={1.75} aria-hidden />
      </button>
    </Th>
  )
}

type Selectable<Row> = Pick<DataTableProps<Row>, 'rows' | 'rowId' | 'rowName'> & {
  selection: Selection<Row>
}

/** Selects or deselects all rows of this page; it shows a dash if only some are selected. */
function SelectAll<Row>({ rows, rowId, selection }: Selectable<Row>) {
  const { selected, onToggle, isSelectable = () => true } = selection
  const selectable = rows.filter(isSelectable)
  const count = selectable.filter((row) => selected.has(rowId(row))).length
  const isAll = count > 0 && count === selectable.length
  return (
    <label className={boxTarget}>
      <input
        type="checkbox"
        className="size-5 accent-primary"
        aria-label="Select all on this page"
        disabled={selectable.length === 0}
        checked={isAll}
        ref={(box) => {
          if (box) box.indeterminate = count > 0 && !isAll
        }}
        onChange={() => onToggle(selectable, !isAll)}
      />
    </label>
  )
}

// Enlarges the touch target of a small checkbox.
const boxTarget = 'mx-auto flex size-11 items-center justify-center'

function RowCheckbox<Row>({ row, rowId, rowName, selection }: Selectable<Row> & { row: Row }) {
  const { selected, onToggle, isSelectable } = selection
  if (isSelectable?.(row) === false) return null
  return (
    <label className={boxTarget}>
      <input
        type="checkbox"
        className="size-5 accent-primary"
        aria-label={`Select ${rowName(row)}`}
        checked={selected.has(rowId(row))}
        onChange={(event) => onToggle([row], event.target.checked)}
      />
    </label>
  )
}

function CardList<Row>(props: DataTableProps<Row>) {
  const { caption, rows, columns, rowId, selection } = props
  const title = columns.find((column) => column.isTitle) ?? columns[0]
  const actions = columns.find((column) => column.isActions)
  const facts = columns.filter((column) => column !== title && column !== actions)
  return (
    <div className="grid gap-3 sm:hidden">
      {selection && (
        <div className="flex items-center text-sm text-muted">
          <span className="-ms-3">
            <SelectAll {...props} selection={selection} />
          </span>
          <span aria-hidden>All on this page</span>
        </div>
      )}
      <ul className="grid gap-3" aria-label={caption}>
        {rows.map((row) => (
          <li
            key={rowId(row)}
            className="grid gap-2 rounded-card border border-line bg-surface p-4"
          >
            <div className="flex items-center gap-1 font-semibold">
              {selection && (
                <span className="-ms-3 empty:hidden">
                  <RowCheckbox {...props} row={row} selection={selection} />
                </span>
              )}
              <div className="min-w-0 flex-1">{title?.cell(row)}</div>
            </div>
            <dl className="nums grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
              {facts.map((column) => (
                <div key={column.key} className="contents">
                  <dt className="text-muted">{column.header}</dt>
                  <dd className="min-w-0 text-end [overflow-wrap:anywhere]">{column.cell(row)}</dd>
                </div>
              ))}
            </dl>
            {actions && <div className="-mx-3 -mb-2 empty:hidden">{actions.cell(row)}</div>}
          </li>
        ))}
      </ul>
    </div>
  )
}
