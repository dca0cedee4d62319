/** The groups of reviews, shown as tabs (METRICS-33), as named in the URL. */
export const reviewGroups = ['all', 'positive', 'neutral', 'negative'] as const
export type ReviewGroup = (typeof reviewGroups)[number]

/** Positive is 4 or 5 stars, neutral 3, negative below (METRICS-34). */
const stars: Record<ReviewGroup, readonly number[]> = {
  all: [1, 2, 3, 4, 5],
  positive: [4, 5],
  neutral: [3],
  negative: [1, 2],
}

export function starsOf(group: ReviewGroup): readonly number[] {
  return stars[group]
}

/** Returns the number of reviews in each group, from the numbers per rating. */
export function countsOf(
  spread: readonly { stars: number; reviews: number }[],
): Record<ReviewGroup, number> {
  const count = (group: ReviewGroup) =>
    spread
      .filter((row) => stars[group].includes(row.stars))
      .reduce((sum, row) => sum + row.reviews, 0)
  return {
    all: count('all'),
    positive: count('positive'),
    neutral: count('neutral'),
    negative: count('negative'),
  }
}

/** Returns the group in the URL, otherwise all. */
export function readGroup(value: string | null): ReviewGroup {
  return reviewGroups.find((group) => group === value) ?? 'all'
}
