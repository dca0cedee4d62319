/** A page to link to, or a gap for omitted pages. */
export type PageMark = number | 'gap'

const around = 2

/**
 * Returns the numbers that a pagination shows: the first and the last page, two on either side of
 * the current one, and gaps for the omitted pages (SEARCH-07).
 */
export function pageNumbers(current: number, total: number): PageMark[] {
  const marks: PageMark[] = []
  let previous = 0
  for (let page = 1; page <= total; page++) {
    const isEnd = page === 1 || page === total
    if (!isEnd && Math.abs(page - current) > around) continue
    if (page - previous > 1) marks.push('gap')
    marks.push(page)
    previous = page
  }
  return marks
}
