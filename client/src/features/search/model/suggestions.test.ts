import { expect, test } from 'vitest'
import { optionsOf } from './suggestions'

const rows = [
  { kind: 'category', label: 'peluquería', detail: 'Hair Salons', target: 'hair' },
  { kind: 'service', label: 'Peinado', detail: null, target: null },
  { kind: 'business', label: 'Pelo y Más', detail: 'Sevilla', target: 'pelo-y-mas' },
]

test('a suggestion shows what it is, and leads there', () => {
  const options = optionsOf(rows, 'Service')
  expect(options.map(({ label, note }) => `${label}: ${note}`)).toEqual([
    'peluquería: Hair Salons',
    'Peinado: Service',
    'Pelo y Más: Sevilla',
  ])
  expect(options.map(({ choice }) => choice)).toEqual([
    { terms: { findDesc: '', category: 'Hair Salons' } },
    { terms: { findDesc: 'Peinado' } },
    { slug: 'pelo-y-mas' },
  ])
})
