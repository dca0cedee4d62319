import { saveFile } from './save-file'
import { type ExportFormat, fileName, type Sheet, sheetToCsv } from './sheet'

const types: Record<ExportFormat, string> = {
  csv: 'text/csv;charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** Exports a table as a file download. */
export async function saveSheet(
  sheet: Sheet,
  what: string,
  today: string,
  format: ExportFormat,
): Promise<void> {
  saveFile(fileName(what, today, format), types[format], await contentOf(sheet, format))
}

async function contentOf(sheet: Sheet, format: ExportFormat): Promise<string | Blob> {
  if (format === 'csv') return sheetToCsv(sheet)
  const { writeSpreadsheet } = await import('./spreadsheet')
  return writeSpreadsheet(sheet)
}
