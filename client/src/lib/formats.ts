import { language, locale } from './language'

// The browser's formatters, each created once: creating one takes a hundred times as long as using
// it. The options come from our own code, so there are at most a few dozen.
const numbers = new Map<string, Intl.NumberFormat>()
const dates = new Map<string, Intl.DateTimeFormat>()

function madeOnce<T>(made: Map<string, T>, key: string, make: () => T): T {
  const format = made.get(key) ?? make()
  made.set(key, format)
  return format
}

/** Returns a formatter for numbers. */
export function numberFormat(
  locale: string,
  options: Intl.NumberFormatOptions = {},
): Intl.NumberFormat {
  const key = locale + JSON.stringify(options)
  return madeOnce(numbers, key, () => new Intl.NumberFormat(locale, options))
}

/** Returns a formatter for dates and times. */
export function dateFormat(
  locale: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options)
  return madeOnce(dates, key, () => new Intl.DateTimeFormat(locale, options))
}

/** Formats a number with one decimal: '4.5'. */
export function oneDecimal(value: number): string {
  const text = value.toFixed(1)
  return language === 'en' ? text : text.replace('.', ',')
}

/** Formats a count: '1,234'. */
export function countText(count: number): string {
  const isPlain = Number.isInteger(count) && Math.abs(count) < 1000
  return isPlain ? String(count) : numberFormat(locale).format(count)
}
