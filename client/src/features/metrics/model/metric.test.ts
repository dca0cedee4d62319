import { describe, expect, it } from 'vitest'
import { type AdvertiserDay, type BusinessDay, eachDay, isEmpty, within } from './day'
import { advertiserSummary, businessSummary, type MetricKey, metrics } from './metric'
import { periodRange, rangeBefore } from './period'
import { summaryOf } from './summary'
import { allMetrics } from './view'
import { axisFormatOf, formatOf } from './words'

function day(metric_date: string, figures: Partial<BusinessDay> = {}): BusinessDay {
  return {
    metric_date,
    num_total_page_views: 0,
    num_calls: 0,
    num_directions_and_map_views: 0,
    url_clicks: 0,
    num_messages_to_business: 0,
    online_bookings: 0,
    num_bookmarks: 0,
    rating: null,
    reviews: 0,
    total_leads: 0,
    num_user_photos: 0,
    num_check_ins: 0,
    reply_rate: null,
    median_response_time_in_sec: null,
    num_search_views: 0,
    num_photo_views: 0,
    ...figures,
  }
}

function adDay(metric_date: string, figures: Partial<AdvertiserDay> = {}): AdvertiserDay {
  return {
    metric_date,
    billed_impressions: 0,
    billed_clicks: 0,
    ad_cost: 0,
    ad_driven_calls: 0,
    ad_driven_online_reservations: 0,
    ad_driven_biz_page_views: 0,
    ad_driven_messages_to_business: 0,
    ad_driven_total_leads: 0,
    ...figures,
  }
}

const none = { business: [], advertiser: [] }
const total = (key: MetricKey, business: BusinessDay[], advertiser: AdvertiserDay[] = []) =>
  metrics[key].total({ business, advertiser })

describe('METRICS-14 METRICS-19: periods', () => {
  it.each([
    ['7', '2026-11-17', '2026-11-10', '2026-11-16'],
    ['30', '2026-10-25', '2026-09-25', '2026-10-24'],
    ['90', '2026-08-26', '2026-05-28', '2026-08-25'],
  ] as const)(
    '%s days end today and are compared with as many before',
    (period, first, ...before) => {
      const range = periodRange(period, '2026-11-23')
      expect(range).toEqual({ first, last: '2026-11-23' })
      expect(rangeBefore(range)).toEqual({ first: before[0], last: before[1] })
    },
  )

  it('counts days, not hours, over the change to winter time', () => {
    const range = { first: '2026-10-24', last: '2026-10-26' }
    expect(eachDay(none, range).map(({ date }) => date)).toEqual([
      '2026-10-24',
      '2026-10-25',
      '2026-10-26',
    ])
  })
})

describe('METRICS-18: the summary', () => {
  it('has ten figures of the business and nine of its promotion, each once', () => {
    expect(businessSummary).toHaveLength(10)
    expect(advertiserSummary).toHaveLength(9)
    expect(new Set(allMetrics).size).toBe(allMetrics.length)
    expect(allMetrics.toSorted()).toEqual(Object.keys(metrics).toSorted())
  })

  it('METRICS-19: compares the days of the range with as many before, and leaves out others', () => {
    const read = {
      business: [
        day('2026-11-16', { num_calls: 50 }),
        day('2026-11-17', { num_calls: 2 }),
        day('2026-11-19', { num_calls: 3 }),
        day('2026-11-20', { num_calls: 7 }),
        day('2026-11-22', { num_calls: 1 }),
        day('2026-11-23', { num_calls: 90 }),
      ],
      advertiser: [adDay('2026-11-18', { billed_clicks: 4 })],
    }
    const range = { first: '2026-11-20', last: '2026-11-22' }
    expect(summaryOf(['calls', 'clicks', 'replyRate'], read, range)).toEqual([
      { key: 'calls', current: 8, previous: 5 },
      { key: 'clicks', current: 0, previous: 4 },
      { key: 'replyRate', current: null, previous: null },
    ])
    expect(within(read, range).business).toHaveLength(2)
    expect(isEmpty(none)).toBe(true)
    expect(isEmpty({ business: [], advertiser: [adDay('2026-11-18')] })).toBe(false)
  })
})

describe('figures of several days', () => {
  it('sums counts and costs; days without a row count 0', () => {
    expect(total('pageViews', [])).toBe(0)
    expect(total('adCost', [], [])).toBe(0)
    expect(total('adCost', [], [adDay('a', { ad_cost: 150 }), adDay('b', { ad_cost: 75 })])).toBe(
      225,
    )
  })

  it('averages the reply rates of the days that have one', () => {
    const days = [day('a', { reply_rate: 100 }), day('b'), day('c', { reply_rate: 50 })]
    expect(total('replyRate', days)).toBe(75)
    expect(total('replyRate', [day('b')])).toBeNull()
  })

  it.each([
    [[600], 600],
    [[600, 100], 350],
    [[5, 900, 60], 60],
    [[9, 1, 4, 2], 3],
    [[0], 0],
    [[], null],
  ])('has the median of the response times %j', (times, median) => {
    const days = times.map((time) => day('a', { median_response_time_in_sec: time }))
    expect(total('responseTime', [...days, day('b')])).toBe(median)
  })

  it('has the newest rating', () => {
    const days = [day('a', { rating: 4.5 }), day('b', { rating: 4.2 }), day('c')]
    expect(total('rating', days)).toBe(4.2)
    expect(total('rating', [])).toBeNull()
  })

  it('makes the rates of a promotion of the sums', () => {
    const days = [
      adDay('a', { billed_impressions: 900, billed_clicks: 9, ad_cost: 360 }),
      adDay('b', { billed_impressions: 100, billed_clicks: 11, ad_cost: 240 }),
    ]
    expect(total('clickRate', [], days)).toBe(2)
    expect(total('costPerClick', [], days)).toBe(30)
    expect(total('clickRate', [], [adDay('a', { billed_clicks: 1 })])).toBeNull()
    expect(total('costPerClick', [], [adDay('a', { ad_cost: 9 })])).toBeNull()
    const late = adDay('a', { billed_impressions: 1, billed_clicks: 3 })
    expect(total('clickRate', [], [late])).toBe(100)
  })
})

describe('words', () => {
  it.each([
    ['pageViews', 12_345, '12,345'],
    ['replyRate', 92, '92.0%'],
    ['replyRate', 66.666, '66.7%'],
    ['clickRate', 1.234, '1.23%'],
    ['clickRate', 2, '2.00%'],
    ['adCost', 123_456, '$1,234.56'],
    ['adCost', 0, '$0.00'],
    ['costPerClick', 30.4, '$0.30'],
    ['costPerClick', 30.5, '$0.31'],
    ['responseTime', 245, '4 min 05 s'],
    ['responseTime', 59.5, '1 min 00 s'],
    ['responseTime', 0, '0 min 00 s'],
    ['responseTime', 7265, '121 min 05 s'],
    ['rating', 4.25, '4.3'],
  ] as const)('METRICS-24 METRICS-25 METRICS-26: %s of %d is %s', (key, figure, text) => {
    expect(formatOf(key)(figure)).toBe(text)
  })

  it('has shorter ones for charts', () => {
    expect(axisFormatOf('responseTime')(245)).toBe('4 min')
    expect(axisFormatOf('adCost')(120_000)).toBe('$1.2K')
    expect(axisFormatOf('costPerClick')(42)).toBe('$0.42')
    expect(axisFormatOf('replyRate')(92.4)).toBe('92%')
    expect(axisFormatOf('calls')(1200)).toBe('1,200')
  })
})
