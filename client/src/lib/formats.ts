// The browser's formatters, each made once: making one takes a hundred times as long as using it.
// What is asked for stands in our code, so there are a few dozen at most.
const numbers = new Map<string, Intl.NumberFormat>()
const dates = new Map<string, Intl.DateTimeFormat>()

function madeOnce<T>(made: Map<string, T>, key: string, make: () => T): T {
  const format = made.get(key) ?? make()
  made.set(key, format)
  return format
}

/** A formatter of numbers. */
export function numberFormat(
  locale: string,
  options: Intl.NumberFormatOptions = {},
): Intl.NumberFormat {
  const key = locale + JSON.stringify(options)
  return madeOnce(numbers, key, () => new Intl.NumberFormat(locale, options))
}

/** A formatter of days and times. */
export function dateFormat(
  locale: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options)
  return madeOnce(dates, key, () => new Intl.DateTimeFormat(locale, options))
}

/** A count as it is read: '1,234'. */
export function countText(count: number): string {
  const isPlain = Number.isInteger(count) && Math.abs(count) < 1000
  return isPlain ? String(count) : numberFormat('en-GB').format(count)
}
