import { translated } from '@/lib/translated'

/** Texts of the map of results. */
export const mapMessages = translated('searchMap', {
  toMap: 'Map',
  toList: 'List',
  map: 'Map of the results',
  area: 'Search this area',
  together: (count: number, names: string) => `${count} businesses close together: ${names}`,
  free: 'Free',
  unrated: 'New',
  pin: (name: string, text: string) => `${name}, ${text}`,
  none: 'None of these businesses has said where it is on the map.',
  missing: (count: number) =>
    count === 1
      ? '1 business has no place on the map'
      : `${count} businesses have no place on the map`,
  close: 'Close',
})
