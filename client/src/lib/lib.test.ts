import { describe, expect, it } from 'vitest'
import { variants } from './cn'
import { parseEnv } from './env'
import { describeError } from './error-text'
import { AppError, toAppError, unanswered, unwrapCounted } from './errors'
import { formatMoney } from './money'
import { paths } from './paths'
import {
  categoryCache,
  createQueryClient,
  defaultCache,
  resultCache,
  synonymCache,
} from './query-client'

describe('addresses', () => {
  it('ROUTE-06, ROUTE-07: a search names what is given and leaves page 1 out', () => {
    expect(paths.search()).toBe('/search')
    expect(paths.search({ findDesc: 'corte de pelo', findLoc: 'Málaga', page: 1 })).toBe(
      '/search?find_desc=corte+de+pelo&find_loc=M%C3%A1laga',
    )
    expect(paths.search({ category: 'Arts & Entertainment', page: 2 })).toBe(
      '/search?category=Arts+%26+Entertainment&page=2',
    )
    expect(paths.search({ findDesc: '  ', findLoc: '' })).toBe('/search')
  })
  it('HOME-09, ROUTE-04: owners sign up here', () => {
    expect(paths.ownerSignUp).toBe('/auth?mode=register&role=owner')
  })
})

describe('caches', () => {
  const minute = 60_000
  it('CONST-09: results are fresh 2 minutes, kept 5, retried twice', () => {
    expect([resultCache.staleTime, resultCache.gcTime]).toEqual([2 * minute, 5 * minute])
    const down = new AppError('network', 'Failed to fetch')
    expect([0, 1, 2].map((failures) => resultCache.retry(failures, down))).toEqual([
      true,
      true,
      false,
    ])
    expect(resultCache.retry(0, new AppError('42501', 'permission denied'))).toBe(false)
    expect(resultCache.retry(0, unanswered('offline'))).toBe(false)
    expect(resultCache.retry(0, unanswered('timeout'))).toBe(false)
  })
  it('says within three seconds that the server is down', () => {
    const { retryDelay } = createQueryClient().getDefaultOptions().queries ?? {}
    if (typeof retryDelay !== 'function') throw new Error('no delay')
    expect(retryDelay(0, unanswered('network')) + retryDelay(1, unanswered('network'))).toBe(1200)
  })
  it('sends a write once, and nothing later by itself', () => {
    const { mutations, queries } = createQueryClient().getDefaultOptions()
    expect(mutations).toEqual({ networkMode: 'always', retry: false })
    expect(queries).toMatchObject({ networkMode: 'always', refetchOnReconnect: true })
  })
  it('CONST-10: synonyms are fresh 5 minutes, kept 10', () => {
    expect(synonymCache).toEqual({ staleTime: 5 * minute, gcTime: 10 * minute })
  })
  it('CONST-11: categories are fresh 60 minutes, kept 120', () => {
    expect(categoryCache).toEqual({ staleTime: 60 * minute, gcTime: 120 * minute })
  })
  it('CONST-12: all else is fresh 30 minutes, kept 60, not asked again on focus', () => {
    expect(defaultCache).toEqual({ staleTime: 30 * minute, gcTime: 60 * minute })
    const { queries } = createQueryClient().getDefaultOptions()
    expect(queries).toMatchObject({ ...defaultCache, refetchOnWindowFocus: false })
  })
})

describe('errors', () => {
  it.each([
    [unanswered('offline'), /^You are offline\./],
    [unanswered('timeout'), /^Plaza takes too long/],
    [unanswered('network'), /^Plaza cannot be reached/],
    // As supabase-js passes on our own errors: only with their message.
    [{ message: 'AppError: Failed to fetch: offline', code: '' }, /^You are offline\./],
    [{ message: 'Failed to fetch: timeout', status: 0 }, /^Plaza takes too long/],
    [new TypeError('Failed to fetch'), /^Plaza cannot be reached/],
    [{ message: 'no', status: 502 }, /^Plaza cannot be reached/],
    [
      new TypeError('Failed to fetch dynamically imported module: /assets/x.js'),
      /^A part of Plaza could not be loaded\./,
    ],
  ])('%o is told apart', (error, words) => {
    expect(describeError(error)).toMatch(words)
    expect(toAppError(error).kind).toBe('network')
  })
  it('keeps the server’s code and distinguishes kinds', () => {
    const kinds = [
      toAppError({ code: '23P01', message: 'conflicting key value' }),
      toAppError({ code: '42501', message: 'denied' }, 403),
      toAppError({ code: 'PGRST116', message: 'no rows' }, 406),
      toAppError({ code: 'invalid_credentials', message: 'x', status: 400 }),
      toAppError(new TypeError('Failed to fetch')),
      toAppError({ message: 'boom' }, 500),
    ].map(({ code, kind }) => [code, kind])
    expect(kinds).toEqual([
      ['23P01', 'validation'],
      ['42501', 'permission'],
      ['PGRST116', 'not-found'],
      ['invalid_credentials', 'validation'],
      ['network', 'network'],
      ['unknown', 'server'],
    ])
  })
  it('never shows a raw message', () => {
    expect(
      describeError({ code: '42P01', message: 'relation "secret" does not exist' }),
    ).not.toMatch(/secret/)
  })
  it('reads rows and how many there are in all', () => {
    const answer = {
      data: [1, 2],
      error: null,
      count: 40,
      status: 206,
      statusText: '',
      success: true,
    } as const
    expect(unwrapCounted({ ...answer, data: [...answer.data] })).toEqual({
      rows: [1, 2],
      total: 40,
    })
  })
})

describe('environment', () => {
  const page = {
    origin: 'http://127.0.0.1:54321',
    meta: (name: string) => (name === 'supabase-anon-key' ? 'from-page' : null),
    overrides: {},
  }
  it('is read from the page', () => {
    expect(parseEnv(page)).toMatchObject({
      supabaseUrl: 'http://127.0.0.1:54321',
      anonKey: 'from-page',
      currency: 'USD',
      mapStyle: null,
    })
  })
  it('is overridden in development, and refused when it makes no sense', () => {
    const overrides = { VITE_SUPABASE_URL: 'http://localhost:9/', VITE_SUPABASE_ANON_KEY: 'k' }
    expect(parseEnv({ ...page, overrides })).toMatchObject({
      supabaseUrl: 'http://localhost:9',
      anonKey: 'k',
    })
  })
  it('has the currency that the server charges in', () => {
    const meta = (name: string) => (name === 'currency' ? 'EUR' : null)
    expect(parseEnv({ ...page, meta }).currency).toBe('EUR')
  })
})

it('UI-02: prices are in dollars unless set otherwise', () => {
  expect(formatMoney(34)).toBe('$34.00')
  expect(formatMoney(34, { currency: 'EUR', locale: 'es-ES' })).toBe('34,00\u00a0€')
})

it('a table of looks adds base, chosen and default classes', () => {
  const look = variants(
    'b',
    { size: { sm: 's', lg: 'l' }, tone: { a: 'ta', z: 'tz' } },
    {
      size: 'sm',
      tone: 'a',
    },
  )
  expect(look()).toBe('b s ta')
  expect(look({ size: 'lg' }, 'own')).toBe('b l ta own')
})
