import { describe, expect, it } from 'vitest'
import { toCsv } from './csv'

const body = (...cells: (string | number | null)[]) => toCsv([cells]).slice(1)

describe('CSV', () => {
  it('begins with the mark of UTF-8 and ends each row with CR LF', () => {
    expect(
      toCsv([
        ['a', 'b'],
        ['ñ', 1],
      ]),
    ).toBe('\ufeffa,b\r\nñ,1\r\n')
  })

  it('quotes commas, quotes and line breaks (RFC 4180)', () => {
    expect(body('a,b', 'say "hi"', 'two\nlines', 'plain')).toBe(
      '"a,b","say ""hi""","two\nlines",plain\r\n',
    )
  })

  it.each(['=1+1', '+34 600', '-2', '@SUM(A1)', '\tx', '\rx', '\nx'])(
    'S-43: lets no spreadsheet run %j',
    (text) => {
      const cell = body(text).trimEnd().replace(/^"|"$/g, '')
      expect(cell.startsWith("'")).toBe(true)
    },
  )

  it('S-43: escapes before it quotes', () => {
    expect(body('=HYPERLINK("http://x","y")')).toBe(`"'=HYPERLINK(""http://x"",""y"")"\r\n`)
  })

  it('keeps numbers, also negative ones, and leaves out what is not there', () => {
    expect(body(-2.5, null, '', 'a=b')).toBe('-2.5,,,a=b\r\n')
  })
})
