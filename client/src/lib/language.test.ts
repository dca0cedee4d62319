import { afterEach, describe, expect, it, vi } from 'vitest'

/** The module as it is evaluated on a page. */
async function at(path: string, kept = '') {
  vi.resetModules()
  window.history.replaceState(null, '', path)
  localStorage.setItem('plaza.language', kept)
  return await import('./language')
}

describe('the language of a page', () => {
  afterEach(() => {
    localStorage.clear()
    window.history.replaceState(null, '', '/')
  })

  it.each([
    ['/', '', '', 'en', 'es'],
    ['/', 'en', '', 'en', 'es'],
    ['/en', '', '', 'en', 'en'],
    ['/about', '', '', 'en', 'es'],
    ['/about', 'en', '', 'en', 'en'],
    ['/es', '', '/es', 'es', 'es'],
    ['/ca/c/barcelona', 'en', '/ca', 'ca', 'ca'],
    ['/escaldes', '', '', 'en', 'es'],
  ])('%s, after %j was chosen', async (path, kept, start, language, home) => {
    const found = await at(path, kept)
    expect([found.languagePath, found.language, found.homeLanguage]).toEqual([
      start,
      language,
      home,
    ])
  })

  it('names a page in each language', async () => {
    const { pathIn } = await at('/')
    expect((['es', 'ca', 'en'] as const).map((one) => pathIn(one, '/'))).toEqual([
      '/es',
      '/ca',
      '/en',
    ])
    expect(pathIn('es', '/en')).toBe('/es')
    expect((['es', 'ca', 'en'] as const).map((one) => pathIn(one, '/c/x'))).toEqual([
      '/es/c/x',
      '/ca/c/x',
      '/c/x',
    ])
  })

  it("finds the language of a user's mails", async () => {
    const { mailLanguageOf } = await at('/')
    expect(mailLanguageOf({})).toBe('en')
    expect(mailLanguageOf({ locale: 'es-AD' })).toBe('es')
    expect(mailLanguageOf({ language: 'ca', locale: 'es' })).toBe('ca')
    expect(mailLanguageOf({ language: 'de', locale: 'es_ES' })).toBe('es')
  })

  it('reads and writes paths of the browser', async () => {
    const { absoluteUrl, withoutLanguage } = await at('/ca/search')
    expect([withoutLanguage('/ca/search'), withoutLanguage('/ca')]).toEqual(['/search', '/'])
    expect(absoluteUrl('/auth/callback')).toBe(`${window.location.origin}/ca/auth/callback`)
  })
})
