import { describe, expect, it } from 'vitest'
import { reviewSchema } from './review'

const problems = (rating: string, comment: string) =>
  reviewSchema.safeParse({ rating, comment }).error?.issues.map(({ path }) => path[0]) ?? []

describe('RULE-20 C-49: a review', () => {
  it('has 1 to 5 stars', () => {
    expect(problems('1', '')).toEqual([])
    expect(problems('5', '')).toEqual([])
    for (const wrong of ['', '0', '6', '4.5', 'x']) expect(problems(wrong, '')).toEqual(['rating'])
  })

  it('has no words, or 10 to 1000 characters of them', () => {
    expect(problems('3', 'x'.repeat(10))).toEqual([])
    expect(problems('3', 'x'.repeat(1000))).toEqual([])
    expect(problems('3', '         9')).toEqual(['comment'])
    expect(problems('3', 'x'.repeat(1001))).toEqual(['comment'])
  })
})
