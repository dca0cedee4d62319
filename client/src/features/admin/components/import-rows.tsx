import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Column } from '@/components/data-table'
import { Badge, type BadgeTone } from '@/components/ui/badge'
import { countText } from '@/lib/formats'
import { paths } from '@/lib/paths'
import { type Import, importRowsQuery, type ListedRow } from '../api/imports'
import { importMessages as texts } from '../import-messages'
import { importList } from '../model/import'
import { useList } from '../model/use-list'
import { AdminList } from './admin-list'
import { ChoiceFilter } from './choice-filter'

const tones: Readonly<Record<string, BadgeTone>> = {
  faulty: 'danger',
  duplicate: 'warning',
  ready: 'success',
}

/** The staged rows of an import, with what is wrong with each. */
export function ImportRows({ shown, actions }: { shown: Import; actions?: ReactNode }) {
  const address = useList(importList)
  const checked = [shown.state, shown.total, shown.faulty, shown.duplicates].join()
  const query = useQuery(importRowsQuery(shown.id, checked, address.list))
  return (
    <AdminList
      words={texts.rows}
      errorTitle={texts.rowsError}
      address={address}
      query={query}
      rowName={({ name }) => name ?? texts.nameless}
      columns={columns}
      actions={actions}
      filter={
        <ChoiceFilter
          address={address}
          name="state"
          label={texts.state}
          any={texts.anyState}
          options={Object.entries(texts.states).map(([value, label]) => ({ value, label }))}
        />
      }
      removals={0}
    />
  )
}

const columns: Column<ListedRow>[] = [
  { key: 'row', header: texts.row, cell: ({ line }) => countText(line) },
  {
    key: 'name',
    header: texts.name,
    isTitle: true,
    cell: ({ name }) => <span className="[overflow-wrap:anywhere]">{name ?? texts.nameless}</span>,
  },
  { key: 'type', header: texts.type, isMinor: true, cell: ({ type }) => type },
  { key: 'location', header: texts.location, isMinor: true, cell: ({ location }) => location },
  {
    key: 'state',
    header: texts.state,
    cell: ({ state }) => (
      <Badge tone={tones[state] ?? 'neutral'}>{texts.states[state] ?? state}</Badge>
    ),
  },
  { key: 'problem', header: texts.problem, cell: (row) => <Problem row={row} /> },
]

function Problem({ row }: { row: ListedRow }) {
  const { faults, duplicate_line, duplicate_name, duplicate_slug } = row
  if (faults.length > 0) {
    return (
      <ul className="grid gap-1 [overflow-wrap:anywhere]">
        {faults.map(({ field, code, text }) => (
          <li key={`${field} ${code}`}>{texts.fault(field, text)}</li>
        ))}
      </ul>
    )
  }
  if (duplicate_name !== null && duplicate_slug !== null) {
    return (
      <Link className="reach text-primary underline" to={paths.business(duplicate_slug)}>
        {texts.ofBusiness(duplicate_name)}
      </Link>
    )
  }
  return duplicate_line === null ? null : texts.ofRow(countText(duplicate_line))
}
