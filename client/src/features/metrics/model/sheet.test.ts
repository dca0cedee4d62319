import { describe, expect, it } from 'vitest'
import { sheetToCsv } from '@/lib/sheet'
import { dayChart } from './chart'
import type { Metrics } from './day'
import { sheets } from './sheet'

const range = { first: '2026-11-22', last: '2026-11-23' }
const ads = {
  billed_impressions: 300,
  billed_clicks: 7,
  ad_cost: 215,
  ad_driven_calls: 1,
  ad_driven_online_reservations: 0,
  ad_driven_biz_page_views: 7,
  ad_driven_messages_to_business: 0,
  ad_driven_total_leads: 1,
}
const read: Metrics = {
  business: [],
  advertiser: [
    { metric_date: '2026-11-21', ...ads, billed_clicks: 14 },
    { metric_date: '2026-11-23', ...ads },
  ],
}

describe('METRICS-17: exports', () => {
  it('has the summary of the figures that are shown, with change and trend', () => {
    expect(
      sheetToCsv(sheets.summary(['clicks', 'clickRate', 'adCost', 'replyRate'], read, range)),
    ).toBe(
      '\ufeffmetric,unit,current,previous,changePercent,trend\r\n' +
        'Clicks,count,7,14,-50,down\r\n' +
        'Click-through rate,percent,2.33,4.67,-50,down\r\n' +
        'Ad cost,money,2.15,2.15,0,stable\r\n' +
        'Reply rate,percent,,,,\r\n',
    )
  })

  it('has each day, also those without a row; what has no figure is left empty', () => {
    const sheet = sheets.days(['impressions', 'costPerClick', 'rating'], read, range)
    expect(sheet.columns.map(({ type }) => type)).toEqual(['date', 'integer', 'money', 'number'])
    expect(sheet.rows).toEqual([
      ['2026-11-22', 0, null, null],
      ['2026-11-23', 300, 0.31, null],
    ])
  })
})

describe('charts by day', () => {
  it('draws each day of the range; at most three figures', () => {
    const chart = dayChart(['impressions', 'clicks', 'adCalls', 'adLeads'], read, range)
    expect(chart.series.map(({ key }) => key)).toEqual(['impressions', 'clicks', 'adCalls'])
    expect(chart.rows).toEqual([
      {
        name: 'Sun, 22 Nov 2026',
        short: '22 Nov',
        values: { impressions: 0, clicks: 0, adCalls: 0 },
      },
      {
        name: 'Mon, 23 Nov 2026',
        short: '23 Nov',
        values: { impressions: 300, clicks: 7, adCalls: 1 },
      },
    ])
  })
})
