export type Amenity = { name: string; icon: string; category: string; available: boolean }

/** Common amenities (OWNER-12), with the names of their icons. */
export const suggestedAmenities: readonly Amenity[] = [
  { name: 'Free Wi-Fi', icon: 'wifi', category: 'connectivity', available: true },
  { name: 'Parking', icon: 'parking', category: 'accessibility', available: true },
  {
    name: 'Wheelchair Accessible',
    icon: 'accessibility',
    category: 'accessibility',
    available: true,
  },
  { name: 'Pet Friendly', icon: 'paw-print', category: 'policy', available: true },
  { name: 'Air Conditioning', icon: 'snowflake', category: 'comfort', available: true },
  { name: 'Outdoor Seating', icon: 'sun', category: 'seating', available: true },
  { name: 'Delivery', icon: 'truck', category: 'service', available: true },
  { name: 'Takeout', icon: 'shopping-bag', category: 'service', available: true },
  { name: 'Reservations', icon: 'calendar', category: 'service', available: true },
  { name: 'Credit Cards', icon: 'credit-card', category: 'payment', available: true },
]

/** Maximum length and number of names; same as in the database. */
export const amenityNameMax = 60
const amenitiesMax = 60

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Parses the stored amenities; invalid ones are dropped. */
export function readAmenities(stored: unknown): Amenity[] {
  if (!Array.isArray(stored)) return []
  return stored.flatMap((entry: unknown) => {
    if (!isRecord(entry) || typeof entry.name !== 'string') return []
    const { name, icon, category, available } = entry
    return [
      {
        name,
        icon: typeof icon === 'string' ? icon : '',
        category: typeof category === 'string' ? category : 'custom',
        available: available !== false,
      },
    ]
  })
}

function suggestion(name: string): Amenity | undefined {
  return suggestedAmenities.find((one) => one.name === name)
}

/** Reports whether an amenity is in the list. */
export function hasAmenity(list: readonly Amenity[], name: string): boolean {
  return list.some((one) => one.name === name && one.available)
}

/** Returns the list with a suggested amenity added or removed. */
export function toggleAmenity(list: readonly Amenity[], name: string): Amenity[] {
  const others = list.filter((one) => one.name !== name)
  const added = suggestion(name)
  return hasAmenity(list, name) || added === undefined ? others : [...others, added]
}

/** Returns the amenities that are not suggestions. */
export function customAmenities(list: readonly Amenity[]): Amenity[] {
  return list.filter(({ name }) => suggestion(name) === undefined)
}

export type AmenityProblem = 'empty' | 'double' | 'full'

/** Returns the list with a custom amenity, or why it was not added (OWNER-13, OWNER-14). */
export function addAmenity(
  list: readonly Amenity[],
  typed: string,
): { list: Amenity[] } | { problem: AmenityProblem } {
  const name = typed.trim()
  if (name === '') return { problem: 'empty' }
  if (hasAmenity(list, name)) return { problem: 'double' }
  const others = list.filter((one) => one.name !== name)
  if (others.length >= amenitiesMax) return { problem: 'full' }
  const added = suggestion(name) ?? { name, icon: 'check', category: 'custom', available: true }
  return { list: [...others, added] }
}
