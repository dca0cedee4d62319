import { countText } from '@/lib/formats'
import { messages } from '../messages'

const shownNames = 6

/** The affected rows, by name and with a note each; only the first few of many. */
export function NameList<Row extends { id: string }>({
  rows,
  nameOf,
  noteOf,
}: {
  rows: readonly Row[]
  nameOf: (row: Row) => string
  noteOf: (row: Row) => string
}) {
  const rest = rows.length - shownNames
  return (
    <ul className="nums grid gap-1 rounded-control bg-sunken px-4 py-3 text-sm text-ink">
      {rows.slice(0, shownNames).map((row) => (
        <li
          key={row.id}
          className="flex flex-wrap justify-between gap-x-4 [overflow-wrap:anywhere]"
        >
          <span className="font-semibold">{nameOf(row)}</span>
          <span className="text-muted">{noteOf(row)}</span>
        </li>
      ))}
      {rest > 0 && <li className="text-muted">{messages.more(countText(rest))}</li>}
    </ul>
  )
}
