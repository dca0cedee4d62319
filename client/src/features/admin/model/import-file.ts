import { createCsvReader, delimiterOf, UnclosedQuote } from './csv-reader'

/** The columns that a file can have, with an example for the template. */
export const importColumns = {
  name: 'Peluquería Sol',
  type: 'Peluquería',
  location: 'Madrid',
  address: 'Calle Mayor 1, Madrid',
  phone: '+34 600 000 000',
  website: 'https://sol.example.com',
  image_url: 'https://sol.example.com/front.jpg',
  latitude: '40.4168',
  longitude: '-3.7038',
  hours: 'Lunes a viernes de 9 a 18',
  amenities: 'Wi-Fi|Parking',
  description: 'A family business in the old town.',
  tagline: 'Hair for everybody',
  company_values: 'Honest|Local',
  languages: 'Español|Català',
  types: 'Peluquería|Barbería',
  weekday_text: 'lunes: 9–18|martes: 9–18',
  rating: '4.5',
  user_ratings_total: '12',
} as const
export type ImportColumn = keyof typeof importColumns

const requiredColumns = ['name', 'type', 'location'] as const satisfies ImportColumn[]

const maxFileBytes = 50 * 1024 * 1024
const maxImportRows = 50_000
const maxColumns = 100
const maxFieldLength = 65_536
const chunkRows = 1000
const chunkLength = 1_000_000

/** Why a file cannot be read. Codes are stable; the texts are in importMessages.problems. */
export type FileProblem =
  | 'empty_file'
  | 'too_large'
  | 'wrong_encoding'
  | 'not_csv'
  | 'no_header'
  | 'too_many_columns'
  | 'too_many_rows'
  | 'field_too_large'

export class FileError extends Error {
  constructor(
    readonly code: FileProblem,
    /** The row of the spreadsheet, or the missing columns. */
    readonly where = '',
  ) {
    super(code)
  }
}

type Header = {
  /** By position in the file; null for a column that is ignored. */
  columns: (ImportColumn | null)[]
  ignored: string[]
}

/** Recognizes the columns of a file by their names, in any case and with spaces or hyphens. */
function readHeader(cells: readonly string[]): Header {
  if (cells.length > maxColumns) throw new FileError('too_many_columns')
  const seen = new Set<string>()
  const columns = cells.map((cell) => {
    const name = cell
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_')
    if (!(name in importColumns) || seen.has(name)) return null
    seen.add(name)
    return name as ImportColumn
  })
  const missing = requiredColumns.filter((name) => !seen.has(name))
  if (missing.length > 0) throw new FileError('no_header', missing.join(', '))
  const ignored = cells.filter((cell, at) => columns[at] === null && cell.trim() !== '')
  return { columns, ignored }
}

// The apostrophe with which our files mark what a spreadsheet would execute (lib/csv).
const withoutMark = (cell: string) => cell.replace(/^'(?=[=+\-@\t\r\n])/, '')

/** The row's number in a spreadsheet, and its texts. */
type ImportRow = [line: number, ...cells: string[]]
export type ImportChunk = {
  columns: ImportColumn[]
  ignored: string[]
  rows: ImportRow[]
  /** The share of the file that has been read, 0 to 1. */
  share: number
}

/** Reads a file as chunks of rows. Errors: FileError. */
export async function* readImportFile(file: Blob): AsyncGenerator<ImportChunk> {
  if (file.size === 0) throw new FileError('empty_file')
  if (file.size > maxFileBytes) throw new FileError('too_large')
  const collector = createCollector()
  let bytes = 0
  for await (const piece of textOf(file)) {
    bytes += piece.bytes
    yield* collector.add(piece.text, bytes / file.size)
  }
  yield* collector.end()
}

/** Reads a file to its end and keeps nothing of it. Errors: FileError. */
export async function checkFile(file: Blob): Promise<void> {
  const chunks = readImportFile(file)
  while (!(await chunks.next()).done);
}

type Piece = { text: string; bytes: number }

async function* textOf(file: Blob): AsyncGenerator<Piece> {
  // The decoder also removes the byte order mark.
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const reader = file.stream().getReader()
  for (;;) {
    const { done, value } = await reader.read()
    yield { text: decode(decoder, value), bytes: value?.byteLength ?? 0 }
    if (done) return
  }
}

function decode(decoder: TextDecoder, bytes: Uint8Array | undefined): string {
  let text: string
  try {
    text = decoder.decode(bytes, { stream: bytes !== undefined })
  } catch {
    throw new FileError('wrong_encoding')
  }
  if (text.includes('\0')) throw new FileError('not_csv')
  return text
}

function createCollector() {
  let csv: ReturnType<typeof createCsvReader> | undefined
  let header: Header | undefined
  let rows: ImportRow[] = []
  let length = 0
  let line = 0
  let found = 0

  const take = (share: number): ImportChunk => {
    const taken = rows
    rows = []
    length = 0
    const columns = (header?.columns ?? []).filter((one) => one !== null)
    return { columns, ignored: header?.ignored ?? [], rows: taken, share }
  }
  const addRow = (cells: string[]) => {
    line += 1
    if (cells.every((cell) => cell.trim() === '')) return
    if (!header) {
      header = readHeader(cells)
      return
    }
    found += 1
    if (found > maxImportRows || line > maxImportRows + 1) throw new FileError('too_many_rows')
    if (cells.some((cell) => cell.length > maxFieldLength)) {
      throw new FileError('field_too_large', String(line))
    }
    const kept = cells.filter((_, at) => header?.columns[at]).map(withoutMark)
    length += kept.reduce((sum, cell) => sum + cell.length, 0)
    rows.push([line, ...kept])
  }
  function* addRows(read: readonly string[][], share: number) {
    for (const cells of read) {
      addRow(cells)
      if (rows.length >= chunkRows || length >= chunkLength) yield take(share)
    }
  }
  return {
    *add(text: string, share: number) {
      if (text === '') return
      csv ??= createCsvReader(delimiterOf(text))
      yield* addRows(csv.push(text), share)
      if (csv.pendingLength() > maxFieldLength) throw new FileError('not_csv', String(line + 1))
    },
    *end() {
      try {
        yield* addRows(csv?.end() ?? [], 1)
      } catch (error) {
        throw error instanceof UnclosedQuote ? new FileError('not_csv', String(line + 1)) : error
      }
      if (found === 0) throw new FileError('empty_file')
      yield take(1)
    },
  }
}

/** Sends chunks while the file is read, a few at a time. */
export async function sendChunks(
  chunks: AsyncIterable<ImportChunk>,
  send: (chunk: ImportChunk) => Promise<void>,
  onProgress: (share: number) => void,
): Promise<string[]> {
  const atOnce = 2
  const sending = new Set<Promise<void>>()
  let ignored: string[] = []
  for await (const chunk of chunks) {
    ignored = chunk.ignored
    if (sending.size >= atOnce) await Promise.race(sending)
    const sent: Promise<void> = send(chunk).then(() => {
      sending.delete(sent)
      onProgress(chunk.share)
    })
    sending.add(sent)
  }
  await Promise.all(sending)
  return ignored
}
