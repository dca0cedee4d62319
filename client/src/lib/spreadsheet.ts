import writeXlsxFile, { type CellObject } from 'write-excel-file/universal'
import type { CsvCell } from './csv'
import type { Sheet } from './sheet'

const formats = {
  date: 'yyyy-mm-dd',
  money: '#,##0.00',
  percent: '0.0',
  integer: '0',
  number: 'General',
} as const

/**
 * Writes a table as a spreadsheet (.xlsx): numbers and dates have their types, everything else is
 * text, which a spreadsheet does not execute (S-43). This module bundles its library and is loaded
 * on demand.
 */
export function writeSpreadsheet({ columns, rows }: Sheet): Promise<Blob> {
  const head = columns.map(
    ({ name }): CellObject => ({ value: name, type: String, fontWeight: 'bold' }),
  )
  const body = rows.map((row) => row.map((value, index) => cellOf(value, columns[index]?.type)))
  return writeXlsxFile([head, ...body], {
    columns: columns.map(({ width }) => ({ width })),
    stickyRowsCount: 1,
  }).toBlob()
}

// Characters that are invalid in XML; a spreadsheet program would refuse the whole file.
const control = /[^\P{Cc}\t\n\r]/gu

function cellOf(
  value: CsvCell,
  type: Sheet['columns'][number]['type'] = 'text',
): CellObject | null {
  if (value === null || value === '') return null
  if (type === 'text') return { value: String(value).replace(control, ''), type: String }
  if (type === 'date') {
    return { value: new Date(`${value}T00:00:00Z`), type: Date, format: formats.date }
  }
  return { value: Number(value), type: Number, format: formats[type] }
}
