import { useEffect } from 'react'
import { type Language, language } from './language'

const locales: Record<Language, string> = { en: 'en_US', es: 'es_ES', ca: 'ca_ES' }

type PageMeta = { title: string; lang?: Language; description?: string }

function setMeta(selector: string, content: string): void {
  document.head.querySelector(selector)?.setAttribute('content', content)
}

/** Sets the document's title, language and description while the screen is mounted. */
export function usePageMeta({ title, lang = language, description }: PageMeta): void {
  useEffect(() => {
    document.title = title
    // Even setting the same value makes browsers restyle the whole page.
    if (document.documentElement.lang !== lang) document.documentElement.lang = lang
    setMeta('meta[property="og:locale"]', locales[lang])
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
