import { useLocation } from 'react-router'
import {
  homeLanguage,
  keepLanguage,
  language,
  languageNames,
  languages,
  pathIn,
} from '@/lib/language'
import { paths } from '@/lib/paths'
import { messages } from './messages'

/** Links to this page in the other languages. Each is loaded whole, with its own texts. */
export function LanguageChoice() {
  const { pathname, search } = useLocation()
  const current = pathname === paths.home ? homeLanguage : language
  return (
    <nav aria-label={messages.language}>
      <ul className="flex gap-4">
        {languages.map((one) => (
          <li key={one}>
            <a
              href={pathIn(one, pathname) + search}
              lang={one}
              hrefLang={one}
              aria-current={one === current ? 'true' : undefined}
              className="inline-flex min-h-9 items-center text-sm text-muted hover:text-ink hover:underline aria-[current]:font-semibold aria-[current]:text-ink max-lg:min-h-11"
              onClick={() => keepLanguage(one)}
            >
              {languageNames[one]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
