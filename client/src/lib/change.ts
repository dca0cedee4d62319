/** A figure compared with the one of the previous period of the same length. */
export type Change = { percent: number; trend: 'up' | 'down' | 'stable' }

/** Changes up to this are called stable (METRICS-21), including exactly this (C-63). */
const stableUpTo = 5

/**
 * Returns the change between two figures: 100 % from zero to anything, 0 % from zero to zero
 * (METRICS-20).
 */
export function changeOf(previous: number, current: number): Change {
  const percent =
    previous === 0 ? (current > 0 ? 100 : 0) : ((current - previous) / Math.abs(previous)) * 100
  if (percent > stableUpTo) return { percent, trend: 'up' }
  return { percent, trend: percent < -stableUpTo ? 'down' : 'stable' }
}
