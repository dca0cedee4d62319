import type { CsvCell } from '@/lib/csv'
import { type ImportColumn, importColumns } from './import-file'
import type { ListKind } from './list'

export const importList: ListKind = {
  tab: 'import',
  filters: ['state'],
  sorts: [],
  defaultSort: { key: 'line', descending: false },
}

/** Why a row cannot be imported, from the database: the constraint that it breaks, and its text. */
export type Fault = { field: string; code: string; text: string }

const columns = Object.keys(importColumns) as ImportColumn[]

/** The template: all columns, and an example. */
export function templateRows(): CsvCell[][] {
  return [columns, columns.map((name) => importColumns[name])]
}

/** The faulty rows as a file that can be corrected and imported again, with the reasons. */
export function faultyRows(
  rows: readonly { line: number; fields: Record<string, string>; faults: readonly Fault[] }[],
): CsvCell[][] {
  const used = columns.filter((name) => rows.some(({ fields }) => fields[name] !== undefined))
  return [
    [...used, 'row', 'problems'],
    ...rows.map(({ line, fields, faults }) => [
      ...used.map((name) => fields[name] ?? ''),
      line,
      faults.map(({ field, text }) => `${field}: ${text}`).join('; '),
    ]),
  ]
}
