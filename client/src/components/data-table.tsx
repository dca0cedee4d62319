import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '@/lib/cn'
import { Table, Td, Th, Tr } from './ui/table'

export type Column<Row> = {
  key: string
  header: string
  cell: (row: Row) => ReactNode
  /** The header becomes a button; the sorting itself is the server's, by this column's key. */
  isSortable?: boolean
  align?: 'start' | 'end'
  /** Heads the card that stands for a row on phones. One column has it. */
  isTitle?: boolean
}

export type Sort = { key: string; descending: boolean }

type Selection = { selected: ReadonlySet<string>; onChange: (ids: ReadonlySet<string>) => void }

type DataTableProps<Row> = {
  caption: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  rowId: (row: Row) => string
  /** What a row is called, for its checkbox. */
  rowName: (row: Row) => string
  sort?: Sort
  onSort?: (sort: Sort) => void
  selection?: Selection
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
  const { caption, rows, columns, rowId, rowName, sort, onSort, selection } = props
  const allSelected = rows.length > 0 && rows.every((row) => selection?.selected.has(rowId(row)))
  return (
    <Table caption={caption}>
      <thead>
        <tr>
          {selection && (
            <Th className="w-12">
              <input
                type="checkbox"
                className="size-5 accent-primary"
                aria-label="Select all on this page"
                checked={allSelected}
                onChange={() => selection.onChange(new Set(allSelected ? [] : rows.map(rowId)))}
              />
            </Th>
          )}
          {columns.map((column) => (
            <HeaderCell key={column.key} column={column} sort={sort} onSort={onSort} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Tr key={rowId(row)}>
            {selection && (
              <Td>
                <RowCheckbox id={rowId(row)} name={rowName(row)} selection={selection} />
              </Td>
            )}
            {columns.map((column) => (
              <Td key={column.key} className={cn(column.align === 'end' && 'text-end')}>
                {column.cell(row)}
              </Td>
            ))}
          </Tr>
        ))}
      </tbody>
    </Table>
  )
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
  const end = column.align === 'end' && 'text-end'
  if (!column.isSortable || !onSort) return <Th className={cn(end)}>{column.header}</Th>
  const sorted = sort?.key === column.key ? sort : undefined
  const Arrow = sorted ? (sorted.descending ? ArrowDown : ArrowUp) : ArrowUpDown
  return (
    <Th
      className={cn(end)}
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

function RowCheckbox({ id, name, selection }: { id: string; name: string; selection: Selection }) {
  return (
    <input
      type="checkbox"
      className="size-5 accent-primary"
      aria-label={`Select ${name}`}
      checked={selection.selected.has(id)}
      onChange={(event) => {
        const next = new Set(selection.selected)
        if (event.target.checked) next.add(id)
        else next.delete(id)
        selection.onChange(next)
      }}
    />
  )
}

function CardList<Row>({ caption, rows, columns, rowId, rowName, selection }: DataTableProps<Row>) {
  const title = columns.find((column) => column.isTitle) ?? columns[0]
  return (
    <ul className="grid gap-3 sm:hidden" aria-label={caption}>
      {rows.map((row) => (
        <li key={rowId(row)} className="grid gap-2 rounded-card border border-line bg-surface p-4">
          <div className="flex items-center gap-3 font-semibold">
            {selection && <RowCheckbox id={rowId(row)} name={rowName(row)} selection={selection} />}
            <div className="min-w-0 flex-1">{title?.cell(row)}</div>
          </div>
          <dl className="nums grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
            {columns
              .filter((column) => column !== title)
              .map((column) => (
                <div key={column.key} className="contents">
                  <dt className="text-muted">{column.header}</dt>
                  <dd className="min-w-0 text-end">{column.cell(row)}</dd>
                </div>
              ))}
          </dl>
        </li>
      ))}
    </ul>
  )
}
