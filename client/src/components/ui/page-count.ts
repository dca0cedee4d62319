/** Returns the number of pages for a number of rows, at least 1. */
export function pageCount(rows: number, pageSize: number): number {
  return Math.max(1, Math.ceil(rows / pageSize))
}
