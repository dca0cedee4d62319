import { describe, expect, it } from 'vitest'
import { metricsOf, readAddress, shownOf, writeAddress } from './address'

const read = (query: string) => readAddress(new URLSearchParams(query))
const atFirst = { view: 'overview', adView: 'overview', period: '30', hidden: [] }

describe('METRICS-14 METRICS-15 METRICS-16 METRICS-17: the address', () => {
  it('is empty at first, and so is what it says wrongly', () => {
    expect(read('')).toEqual(atFirst)
    expect(read('view=nothing&ads=x&days=31&hide=,constructor,')).toEqual(atFirst)
    expect(writeAddress(read(''))).toEqual({})
  })

  it('keeps what is looked at', () => {
    const params = { view: 'advertising', ads: 'cost', days: '90', hide: 'calls,adCost' }
    expect(writeAddress(read(new URLSearchParams(params).toString()))).toEqual(params)
  })

  it('shows those figures of a tab that are not hidden', () => {
    const address = read('view=advertising&ads=cost&hide=calls,adCost')
    expect(metricsOf(address)).toEqual(['adCost', 'costPerClick', 'clicks'])
    expect(shownOf(metricsOf(address), address)).toEqual(['costPerClick', 'clicks'])
    expect(metricsOf(read('view=overview'))).toHaveLength(19)
  })
})
