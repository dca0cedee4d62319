/** A number as it is read: 1,204. */
export function countText(count: number): string {
  return new Intl.NumberFormat('en-GB').format(count)
}

/** The day of a moment on the reader's own clock: '22 Nov 2026'. */
export function dayText(moment: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' }).format(new Date(moment))
}
