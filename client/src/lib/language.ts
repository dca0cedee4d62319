/** The languages of the public pages; owners and admins work in English. */
export const languages = ['es', 'ca', 'en'] as const
export type Language = (typeof languages)[number]

const { pathname } = window.location
const key = 'plaza.language'

/**
 * The start of every path in the language of this page: '/es' or '/ca'. Pages without it are in
 * English, but for home, which is in Spanish (UI-01) and in English at /en.
 */
export const languagePath = /^\/(?:es|ca)(?=\/|$)/.exec(pathname)?.[0] ?? ''

/** The language of all pages but home. */
export const language: Language = languages.find((one) => languagePath === `/${one}`) ?? 'en'

/** The language of home. */
export const homeLanguage: Language = languagePath !== '' ? language : readsEnglish() ? 'en' : 'es'

/** Reports whether home is in English: by its URL, on other pages by the reader's last choice. */
function readsEnglish(): boolean {
  if (pathname === '/' || pathname === '/en') return pathname === '/en'
  try {
    return localStorage.getItem(key) === 'en'
  } catch {
    return false
  }
}

/** Stores the reader's choice, for links to home. */
export function keepLanguage(chosen: Language): void {
  try {
    localStorage.setItem(key, chosen)
  } catch {
    // Storage is disabled: home stays in Spanish.
  }
}

/** Returns the URL of a page in a language. `path` is without the language. */
export function pathIn(chosen: Language, path: string): string {
  const isHome = path === '/' || path === '/en'
  if (chosen === 'en') return isHome ? '/en' : path
  return `/${chosen}${isHome ? '' : path}`
}

/** Returns a path of the browser as the router and `paths` have it. */
export function withoutLanguage(path: string): string {
  return path.slice(languagePath.length) || '/'
}

/** Returns the absolute URL of a page, in the language of this one. */
export function absoluteUrl(path: string): string {
  return new URL(languagePath + path, window.location.origin).href
}

/** The names of the languages, each in itself. */
export const languageNames: Record<Language, string> = {
  es: 'Español',
  ca: 'Català',
  en: 'English',
}

/** Returns the language of a user's mails, as the server reads it from the account's metadata. */
export function mailLanguageOf(metadata: Readonly<Record<string, unknown>>): Language {
  for (const key of ['language', 'locale']) {
    const tag = String(metadata[key] ?? '').toLowerCase()
    const known = languages.find((one) => one === tag.split(/[-_]/)[0])
    if (known) return known
  }
  return 'en'
}

/** BCP 47 tags for numbers and dates. */
const locales: Record<Language, string> = { en: 'en-GB', es: 'es-ES', ca: 'ca-ES' }

export const locale = locales[language]
