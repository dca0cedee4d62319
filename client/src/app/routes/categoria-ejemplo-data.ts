export const allChip = 'Todos'

/** The chips of ROUTE-18, in its order. */
export const chips = [allChip, 'Taller', 'Venta', 'Rápido', 'Barato'] as const
export type Chip = (typeof chips)[number]

/** Returns the chip named in the URL, or 'Todos' for anything else. */
export function findChip(name: string | null): Chip {
  return chips.find((chip) => chip === name) ?? allChip
}

type Sample = { name: string; text: string; chips: readonly Chip[] }

// None is 'Barato', so that the page can show its message for no matches.
export const sampleBusinesses: readonly Sample[] = [
  {
    name: 'Taller Hermanos Vidal',
    text: 'Mecánica y chapa con presupuesto cerrado. Poblenou, Barcelona.',
    chips: ['Taller'],
  },
  {
    name: 'Neumáticos Alameda',
    text: 'Cambio de ruedas y equilibrado en media hora. Nervión, Sevilla.',
    chips: ['Taller', 'Rápido'],
  },
  {
    name: 'Automóviles Ensanche',
    text: 'Coches de ocasión revisados y con garantía. Ruzafa, Valencia.',
    chips: ['Venta'],
  },
]
