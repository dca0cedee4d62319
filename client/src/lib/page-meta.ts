import { useEffect } from 'react'

/** The languages of pages: home in Spanish, the others in English (UI-01). */
type PageLanguage = 'en' | 'es'

type PageMeta = { title: string; lang?: PageLanguage; description?: string }

function setMeta(selector: string, content: string): void {
  document.head.querySelector(selector)?.setAttribute('content', content)
}

/** Sets the document's title, language and description while the screen is mounted. */
export function usePageMeta({ title, lang = 'en', description }: PageMeta): void {
  useEffect(() => {
    document.title = title
    // Even setting the same value makes browsers restyle the whole page.
    if (document.documentElement.lang !== lang) document.documentElement.lang = lang
    setMeta('meta[property="og:locale"]', lang === 'es' ? 'es_ES' : 'en_US')
    setMeta('meta[property="og:title"]', title)
    if (description !== undefined) {
      setMeta('meta[name="description"]', description)
      setMeta('meta[property="og:description"]', description)
    }
  }, [title, lang, description])
}

/** Returns the document title of a screen: its name, then the site's. */
export function pageTitle(screen: string): string {
  return `${screen} · Plaza`
}
