/** Quotes a value within the data API's `or`, where commas and parentheses separate. */
export function quoted(value: string): string {
  return `"${value.replace(/[\\"]/g, '\\$&')}"`
}
