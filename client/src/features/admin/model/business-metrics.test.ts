import { describe, expect, it } from 'vitest'
import { bestBy, monthRange } from './business-metrics'

describe('ADMIN-METRICS-03: the months of the best businesses', () => {
  it.each([
    ['this', '2026-11-26', '2026-11-01', '2026-11-01'],
    ['last', '2026-11-26', '2026-10-01', '2026-10-01'],
    ['last', '2026-01-31', '2025-12-01', '2025-12-01'],
    ['three', '2026-11-01', '2026-09-01', '2026-11-01'],
    ['three', '2026-02-28', '2025-12-01', '2026-02-01'],
  ] as const)('%s on %s begins %s and ends with %s', (months, today, first, last) =>
    expect(monthRange(months, today)).toEqual({ first, last }),
  )
})

describe('ADMIN-METRICS-03: the list of a metric', () => {
  const one = (metric: string, place: number) => ({
    metric,
    place,
    business_id: `${metric}${place}`,
    name: '',
    figure: 1,
  })
  it('is in order, without other metrics', () =>
    expect(
      bestBy('leads', [one('leads', 2), one('rating', 1), one('leads', 1)]).map(
        ({ business_id }) => business_id,
      ),
    ).toEqual(['leads1', 'leads2']))
})
