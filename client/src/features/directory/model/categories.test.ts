import { expect, it } from 'vitest'
import { popularCategories, popularCount, topCategories, topCodeOf } from './categories'

it('NAV-09: the 21 categories, label and slug', () => {
  const list =
    'Active Life `active`; Arts & Entertainment `arts`; Automotive `auto`; Beauty & Spas `beautysvc`; Education `education`; Event Planning & Services `eventservices`; Financial Services `financialservices`; Food `food`; Health & Medical `health`; Home Services `homeservices`; Hotels & Travel `hotelstravel`; Local Services `localservices`; Mass Media `massmedia`; Nightlife `nightlife`; Pets `pets`; Professional Services `professional`; Public Services & Government `publicservices`; Real Estate `realestate`; Religious Organizations `religiousorgs`; Restaurants `restaurants`; Shopping `shopping`'
  expect(topCategories.map(({ name, code }) => `${name} \`${code}\``).join('; ')).toBe(list)
})

const stored = [
  ...topCategories.map((category) => ({ ...category, parent: null })),
  { name: 'Hair Salons', code: 'hair-salons', parent: 'beautysvc' },
]

it('HOME-06: ten popular top categories, the most asked for first', () => {
  const popular = popularCategories(stored)
  expect(popularCount).toBe(10)
  expect(popular).toHaveLength(10)
  expect(popular[0]?.code).toBe('beautysvc')
  expect(popular.every((category) => category.parent === null)).toBe(true)
})

it('HOME-06: what an admin switched off makes room for others', () => {
  const without = stored.filter((category) => category.code !== 'beautysvc')
  const codes = popularCategories(without).map((category) => category.code)
  expect(codes).toHaveLength(10)
  expect(codes).not.toContain('beautysvc')
})

it('finds the top category of a child', () => {
  expect(topCodeOf('hair-salons', stored)).toBe('beautysvc')
  expect(topCodeOf('auto', stored)).toBe('auto')
  expect(topCodeOf('unheard-of', stored)).toBe('unheard-of')
})
