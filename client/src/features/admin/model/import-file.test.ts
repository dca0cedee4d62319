import { describe, expect, it } from 'vitest'
import { toCsv } from '@/lib/csv'
import { createCsvReader, delimiterOf } from './csv-reader'
import { templateRows } from './import'
import { type ImportChunk, importColumns, readImportFile } from './import-file'

async function read(content: string | Uint8Array<ArrayBuffer>) {
  const chunks: ImportChunk[] = []
  for await (const chunk of readImportFile(new Blob([content]))) chunks.push(chunk)
  return chunks
}
const rowsOf = async (content: string) => (await read(content)).flatMap(({ rows }) => rows)
const header = 'name,type,location'

describe('createCsvReader', () => {
  const text = 'a,"b ""x"", y",c\r\n"two\r\nlines",,\n\n "q" ,é,"last"'
  const rows = [['a', 'b "x", y', 'c'], ['two\r\nlines', '', ''], [''], ['q ', 'é', 'last']]

  it('reads quotes, line breaks and empty cells, wherever the text is cut', () => {
    for (let size = 1; size <= text.length; size += 1) {
      const csv = createCsvReader(',')
      const got: string[][] = []
      for (let at = 0; at < text.length; at += size)
        got.push(...csv.push(text.slice(at, at + size)))
      expect([...got, ...csv.end()]).toEqual(rows)
    }
  })

  it('finds the delimiter in the header', () => {
    expect(delimiterOf('name;type;"a,b,c,d"\nx')).toBe(';')
    expect(delimiterOf('name,type\n;;;;')).toBe(',')
    expect(delimiterOf('name\ttype\tlocation')).toBe('\t')
    expect(delimiterOf('name')).toBe(',')
  })
})

describe('readImportFile', () => {
  it('recognizes columns in any case, with a byte order mark and semicolons', async () => {
    const [chunk] = await read(
      '\ufeffNAME; Type ;Location;Image URL;Colour;name\r\nSol;Bar;Madrid;x;red;Again\r\n',
    )
    expect(chunk?.columns).toEqual(['name', 'type', 'location', 'image_url'])
    expect(chunk?.ignored).toEqual(['Colour', 'name'])
    expect(chunk?.rows).toEqual([[2, 'Sol', 'Bar', 'Madrid', 'x']])
  })

  it('numbers rows as a spreadsheet does, and leaves out blank ones', async () => {
    expect(await rowsOf(`${header}\nA,B,C\n\n,,\nD,E,F`)).toEqual([
      [2, 'A', 'B', 'C'],
      [5, 'D', 'E', 'F'],
    ])
  })

  it('reads our own files: the template is without faults', async () => {
    const [chunk] = await read(toCsv(templateRows()))
    expect(chunk?.rows).toEqual([[2, ...Object.values(importColumns)]])
  })

  it('cuts a file into chunks', async () => {
    const chunks = await read(`${header}\n${'Sol,Bar,Madrid\n'.repeat(2500)}`)
    expect(chunks.map(({ rows }) => rows.length)).toEqual([1000, 1000, 500])
    expect(chunks.at(-1)?.share).toBe(1)
  })

  const latin1 = new Uint8Array([...new TextEncoder().encode(`${header}\nCaf`), 0xe9, 0x2c, 0x61])
  it.each<[string, string | Uint8Array<ArrayBuffer>, { code: string; where?: string }]>([
    ['an empty file', '', { code: 'empty_file' }],
    ['a header only', `${header}\n\n`, { code: 'empty_file' }],
    ['no header', 'Sol,Bar,Madrid\n', { code: 'no_header', where: 'name, type, location' }],
    ['a missing column', 'name,type\nSol,Bar', { code: 'no_header', where: 'location' }],
    ['another encoding', latin1, { code: 'wrong_encoding' }],
    ['a binary file', new Uint8Array([80, 75, 3, 4, 0, 0, 1]), { code: 'not_csv' }],
    ['an open quote', `${header}\nA,B,C\n"Sol,Bar`, { code: 'not_csv', where: '3' }],
    [
      'an open quote far from the end',
      `${header}\n"${'x'.repeat(70_000)}`,
      { code: 'not_csv', where: '2' },
    ],
    [
      'a long field',
      `${header}\n${'x'.repeat(65_537)},Bar,Madrid\n`,
      { code: 'field_too_large', where: '2' },
    ],
    ['many columns', `${header}${',x'.repeat(98)}\nA,B,C`, { code: 'too_many_columns' }],
    ['many rows', `${header}\n${'A,B,C\n'.repeat(50_001)}`, { code: 'too_many_rows' }],
    ['a large file', new Uint8Array(50 * 1024 * 1024 + 1), { code: 'too_large' }],
  ])('refuses %s', async (_, content, expected) => {
    await expect(read(content)).rejects.toMatchObject(expected)
  })
})
