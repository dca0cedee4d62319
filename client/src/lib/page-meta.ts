import { useEffect } from 'react'

/** The languages pages are written in: home in Spanish, the rest in English (UI-01). */
type PageLanguage = 'en' | 'es'

type PageMeta = { title: string; lang?: PageLanguage; description?: string }

function setMeta(selector: string, content: string): void {
  document.head.querySelector(selector)?.setAttribute('content', content)
}

/** Sets title, language and description of the document for as long as the screen stands. */
export function usePageMeta({ title, lang = 'en', description }: PageMeta): void {
  useEffect(() => {
    document.title = title
    // Even where it is the same, browsers style the whole page again for it.
    if (document.documentElement.lang !== lang) document.documentElement.lang = lang
    setMeta('meta[property="og:locale"]', lang === 'es' ? 'es_ES' : 'en_US')
    setMeta('meta[property="og:title"]', title)
    if (description !== undefined) {
      setMeta('meta[name="description"]', description)
      setMeta('meta[property="og:description"]', description)
    }
  }, [title, lang, description])
}

/** The title of a screen: what it is, then whose it is. */
export function pageTitle(screen: string): string {
  return `${screen} · Plaza`
}
