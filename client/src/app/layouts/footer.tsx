import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Logo } from '@/components/logo'
import { TileCover } from '@/components/tile/tile-cover'
import { largestQuery } from '@/features/directory/api/queries'
import { cn } from '@/lib/cn'
import { paths } from '@/lib/paths'
import { useInView } from '@/lib/use-in-view'
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
    <footer ref={ref} lang="en" className="mt-24 border-line border-t bg-surface">
      <TileCover category="restaurants" zoom={0.385} className="h-10 w-full" />
      <div className="page grid grid-cols-2 gap-x-6 gap-y-10 py-12 sm:grid-cols-3 lg:grid-cols-[1.4fr_1fr_1fr_1fr]">
        <div className="col-span-full grid content-start gap-3 lg:col-span-1">
          <Logo />
          <p className="max-w-[32ch] text-sm text-muted">
            The local businesses of Spain and Andorra, and a free slot with each of them.
          </p>
        </div>
        {footerColumns.map((column) => (
          <FooterColumn key={column.title} {...column} />
        ))}
        {data && (
          <>
            <FooterColumn
              isWide
              title="Cities"
              links={data.cities.map(({ name, slug }) => ({
                label: name ?? '',
                to: paths.city(slug ?? ''),
              }))}
            />
            <FooterColumn
              isWide
              title="Categories"
              links={data.categories.map(({ category_name: name, category_code: code }) => ({
                label: name ?? '',
                to: paths.category(code ?? ''),
              }))}
            />
          </>
        )}
      </div>
      <div className="page">
        <div className="flex flex-wrap items-center justify-between gap-4 border-line border-t py-5">
          <nav aria-label="Legal">
            <ul className="flex gap-6">
              {legalLinks.map((link) => (
                <li key={link.to}>
                  <FooterLink {...link} />
                </li>
              ))}
            </ul>
          </nav>
          <ThemeChoice />
        </div>
      </div>
    </footer>
  )
}

type FooterColumnProps = {
  title: string
  links: readonly NavLink[]
  /** Takes a row of its own, with its links side by side. */
  isWide?: boolean
}

function FooterColumn({ title, links, isWide = false }: FooterColumnProps) {
  if (links.length === 0) return null
  return (
    <nav aria-label={title} className={cn(isWide && 'col-span-full')}>
      <h2 className="mb-2 font-text text-sm font-semibold tracking-normal">{title}</h2>
      <ul className={cn(isWide && 'flex flex-wrap gap-x-6')}>
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
