export type CsvCell = string | number | null

// Characters that a spreadsheet would interpret as a formula or as the end of a cell.
const startsFormula = /^[=+\-@\t\r\n]/

/**
 * Formats a cell: a text that a spreadsheet would execute is prefixed with an apostrophe (S-43),
 * and a text with a comma, quote or line break is quoted. Numbers are our own and are not changed.
 */
function cellText(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const text = startsFormula.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Formats a table according to RFC 4180, with the byte order mark that makes Excel read it as
 * UTF-8.
 */
export function toCsv(rows: readonly (readonly CsvCell[])[]): string {
  return `\ufeff${rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('')}`
}
