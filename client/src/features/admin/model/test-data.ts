import { countText } from '@/lib/formats'
import { testMessages as texts } from '../test-messages'

/** What is counted of test data, in the order in which it is shown. */
export const testKinds = ['profiles', 'businesses', 'reviews', 'bookings', 'reports'] as const
export type TestKind = (typeof testKinds)[number]

export type Amounts = Readonly<Record<TestKind, number>>

/** How much each intensity makes (SEED-01); the database has the same numbers. */
export const intensities = {
  minimal: { profiles: 3, businesses: 2, reviews: 4, bookings: 4, reports: 2 },
  standard: { profiles: 5, businesses: 5, reviews: 15, bookings: 15, reports: 10 },
  extensive: { profiles: 50, businesses: 50, reviews: 250, bookings: 250, reports: 100 },
} as const satisfies Record<string, Amounts>
export type Intensity = keyof typeof intensities
export const intensityNames = ['minimal', 'standard', 'extensive'] as const satisfies Intensity[]

/** Names amounts: '5 profiles, 1 business'; those of zero are left out. */
export function amountsText(amounts: Partial<Amounts>): string {
  return testKinds
    .filter((kind) => (amounts[kind] ?? 0) > 0)
    .map((kind) => {
      const amount = amounts[kind] ?? 0
      const words = texts.counted[kind]
      return `${countText(amount)} ${amount === 1 ? words.one : words.several}`
    })
    .join(', ')
}

/** The rows of a kind that the database made or removed; kinds without a name here are left out. */
export function amountsOf(rows: readonly { what: string; amount: number }[]): Partial<Amounts> {
  const known = rows.flatMap(({ what, amount }) => {
    const kind = testKinds.find((one) => one === what)
    return kind ? [[kind, amount]] : []
  })
  return Object.fromEntries(known)
}

/** The words that confirm to clear all data; the database checks them. */
export const clearAllPhrase = 'DELETE ALL DATA'
