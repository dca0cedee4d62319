import { translated } from './translated'

const names: Record<string, string> = translated('names', {})

/** Returns the name of a category or an amenity in the language of the page, if it has one. */
export function localName(stored: string): string {
  return names[stored] ?? stored
}
