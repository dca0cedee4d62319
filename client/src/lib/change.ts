/** A figure beside the one of as many days before. */
export type Change = { percent: number; trend: 'up' | 'down' | 'stable' }

/** Smaller changes are called stable (METRICS-21); so is one of exactly this (C-63). */
const stableUpTo = 5

/** The change from one figure to the next: 100 % from nothing to something, none from nothing to nothing (METRICS-20). */
export function changeOf(previous: number, current: number): Change {
  const percent =
    previous === 0 ? (current > 0 ? 100 : 0) : ((current - previous) / Math.abs(previous)) * 100
  if (percent > stableUpTo) return { percent, trend: 'up' }
  return { percent, trend: percent < -stableUpTo ? 'down' : 'stable' }
}
