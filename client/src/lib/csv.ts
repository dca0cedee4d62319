export type CsvCell = string | number | null

// What a spreadsheet would take for a formula, or for the end of a cell.
const startsFormula = /^[=+\-@\t\r\n]/

/**
 * One cell: a text that a spreadsheet would run gets an apostrophe before it (S-43), and what has
 * a comma, a quote or a line break is quoted. Numbers are ours and stay numbers.
 */
function cellText(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const text = startsFormula.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A table as RFC 4180 has it, with the mark that lets Excel read it as UTF-8. */
export function toCsv(rows: readonly (readonly CsvCell[])[]): string {
  return `\ufeff${rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('')}`
}
