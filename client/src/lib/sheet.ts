import { type CsvCell, toCsv } from './csv'

/** The export formats of a table. */
export const exportFormats = ['csv', 'xlsx'] as const
export type ExportFormat = (typeof exportFormats)[number]

type ColumnType = 'text' | 'date' | 'integer' | 'number' | 'money' | 'percent'
export type SheetColumn = { name: string; type: ColumnType; width: number }

/** A table to export: dates are strings (yyyy-MM-dd) until the file format converts them. */
export type Sheet = { columns: readonly SheetColumn[]; rows: readonly (readonly CsvCell[])[] }

export const column = (name: string, type: ColumnType, width: number): SheetColumn => ({
  name,
  type,
  width,
})

/** 'bookings-export-2026-11-23.csv' (METRICS-10). */
export function fileName(what: string, today: string, format: ExportFormat): string {
  return `${what}-export-${today}.${format}`
}

export function sheetToCsv({ columns, rows }: Sheet): string {
  return toCsv([columns.map(({ name }) => name), ...rows])
}
