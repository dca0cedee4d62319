import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Logo } from '@/components/logo'
import { TileCover } from '@/components/tile/tile-cover'
import { largestQuery } from '@/features/directory/api/queries'
import { cn } from '@/lib/cn'
import { language } from '@/lib/language'
import { localName } from '@/lib/local-name'
import { paths } from '@/lib/paths'
import { useInView } from '@/lib/use-in-view'
import { LanguageChoice } from './language-choice'
import { messages } from './messages'
import { footerColumns, legalLinks, type NavLink } from './nav-model'
import { ThemeChoice } from './theme-toggle'

/**
 * The footer of every page: a row of tiles, three columns, the largest cities and categories, the
 * legal line (NAV-07, NAV-08).
 */
export function Footer() {
  const [ref, isNear] = useInView<HTMLElement>()
  const { data } = useQuery({ ...largestQuery, enabled: isNear })
  return (
    <footer ref={ref} lang={language} className="mt-24 border-line border-t bg-surface">
      <TileCover category="restaurants" zoom={0.385} className="h-10 w-full" />
      <div className="page grid grid-cols-2 gap-x-6 gap-y-10 py-12 sm:grid-cols-3 lg:grid-cols-[1.4fr_1fr_1fr_1fr]">
        <div className="col-span-full grid content-start gap-3 lg:col-span-1">
          <Logo />
          <p className="max-w-[32ch] text-sm text-muted">{messages.tagline}</p>
        </div>
        {footerColumns.map((column) => (
          <FooterColumn key={column.title} {...column} />
        ))}
        <FooterColumn
          className="col-span-full min-h-29 md:min-h-18 lg:min-h-16"
          title={messages.cities}
          links={data?.cities.map(({ name, slug }) => ({
            label: localName(name ?? ''),
            to: paths.city(slug ?? ''),
          }))}
        />
        <FooterColumn
          className="col-span-full min-h-40 sm:min-h-29 lg:min-h-16"
          title={messages.categories}
          links={data?.categories.map(({ category_name: name, category_code: code }) => ({
            label: localName(name ?? ''),
            to: paths.category(code ?? ''),
          }))}
        />
      </div>
      <div className="page">
        <div className="flex flex-wrap items-center justify-between gap-4 border-line border-t py-5">
          <nav aria-label={messages.legal}>
            <ul className="flex gap-6">
              {legalLinks.map((link) => (
                <li key={link.to}>
                  <FooterLink {...link} />
                </li>
              ))}
            </ul>
          </nav>
          <LanguageChoice />
          <ThemeChoice />
        </div>
      </div>
    </footer>
  )
}

type FooterColumnProps = {
  title: string
  /** Undefined while they load: then the column only takes its space, so that nothing moves. */
  links: readonly NavLink[] | undefined
  /** For a column that takes a row of its own, with its links side by side. */
  className?: string
}

function FooterColumn({ title, links, className }: FooterColumnProps) {
  if (!links) return <div className={className} />
  if (links.length === 0) return null
  return (
    <nav aria-label={title} className={className}>
      <h2 className="mb-2 font-text text-sm font-semibold tracking-normal">{title}</h2>
      <ul className={cn(className && 'flex flex-wrap gap-x-6')}>
        {links.map((link) => (
          <li key={link.label}>
            <FooterLink {...link} />
          </li>
        ))}
      </ul>
    </nav>
  )
}

function FooterLink({ label, to }: NavLink) {
  return (
    <Link
      to={to}
      className="inline-flex min-h-9 items-center text-sm text-muted hover:text-ink hover:underline max-lg:min-h-11"
    >
      {label}
    </Link>
  )
}
