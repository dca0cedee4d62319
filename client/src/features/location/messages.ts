import { translated } from '@/lib/translated'
import type { LocationSource } from './model/location'

/** Texts of the location picker, from the requirements (LOC-01 to LOC-04). */
export const messages = translated('location', {
  search: 'Search cities...',
  empty: 'No cities found',
  popular: 'Popular cities',
  matches: 'Matching cities',
  pickerLabel: 'Choose your city',
  source: {
    cached: 'saved location',
    'auto-detected': 'auto-detected',
    manual: 'manual selection',
    fallback: 'default location',
  } satisfies Record<LocationSource, string>,
})

/** Texts around the picker on home, in Spanish (HOME-01). */
export const nearMessages = translated('near', {
  change: 'Cambiar ciudad',
  near: 'Cerca de',
  notYet: (city: string, shown: string) => `Aún no estamos en ${city}; te enseñamos ${shown}.`,
})
