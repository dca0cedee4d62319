/** The closing quote of a quoted text is missing. */
export class UnclosedQuote extends Error {}

/** Returns the delimiter of a file, by its header: Spanish spreadsheets write semicolons. */
export function delimiterOf(start: string): string {
  const header = start.replace(/"[^"]*"/g, '').split(/\r|\n/, 1)[0] ?? ''
  const counts = [',', ';', '\t'].map((one) => ({ one, count: header.split(one).length }))
  return counts.reduce((most, next) => (next.count > most.count ? next : most)).one
}

/**
 * Reads CSV (RFC 4180) piece by piece: a row or a quoted text may continue in the next piece.
 * `push` returns the rows that end in a piece, `end` the last row if no line break follows it.
 */
export function createCsvReader(delimiter: string) {
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  // The last character was a quote within a quoted text: its end, or the first of two.
  let isQuoteOpen = false
  let wasReturn = false

  const endCell = () => {
    row.push(cell)
    cell = ''
  }
  const endRow = (rows: string[][]) => {
    endCell()
    rows.push(row)
    row = []
  }
  const readQuoted = (char: string) => {
    if (isQuoteOpen) {
      isQuoteOpen = false
      if (char === '"') {
        cell += '"'
        return true
      }
      isQuoted = false
      return false
    }
    if (char === '"') isQuoteOpen = true
    else cell += char
    return true
  }
  const push = (text: string) => {
    const rows: string[][] = []
    for (const char of text) {
      const isSecondBreak = wasReturn && char === '\n'
      wasReturn = false
      if ((isQuoted && readQuoted(char)) || isSecondBreak) continue
      if (char === delimiter) endCell()
      else if (char === '\n' || char === '\r') {
        endRow(rows)
        wasReturn = char === '\r'
      } else if (char === '"' && cell.trim() === '') {
        cell = ''
        isQuoted = true
      } else cell += char
    }
    return rows
  }
  const end = () => {
    const rows: string[][] = []
    if (isQuoted && !isQuoteOpen) throw new UnclosedQuote()
    if (cell !== '' || row.length > 0) endRow(rows)
    return rows
  }
  return { push, end, pendingLength: () => cell.length }
}
