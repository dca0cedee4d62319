import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { cn } from '@/lib/cn'
import { messages } from './messages'
import { pageNumbers } from './page-numbers'

type PaginationProps = {
  page: number
  pages: number
  /** Returns the URL of a page, so that each can be opened, shared and reached by Back. */
  hrefOf: (page: number) => string
}

const cell =
  'nums inline-flex min-h-11 min-w-11 items-center justify-center rounded-control px-2 font-semibold transition-colors max-sm:min-w-10 max-sm:px-0'

/** Previous and Next, first and last, two on either side of the current page (SEARCH-07). */
export function Pagination({ page, pages, hrefOf }: PaginationProps) {
  if (pages <= 1) return null
  return (
    <nav
      aria-label={messages.pagination}
      className="flex flex-wrap items-center justify-center gap-1 max-sm:gap-0"
    >
      <Step to={page > 1 ? hrefOf(page - 1) : null} rel="prev">
        <ChevronLeft className="size-5" strokeWidth={1.75} aria-hidden />
        <span className="max-sm:sr-only">{messages.previous}</span>
      </Step>
      <ol className="contents">
        {pageNumbers(page, pages).map((mark, index, all) =>
          mark === 'gap' ? (
            <li key={`after-${all[index - 1]}`} className={cn(cell, 'text-muted')} aria-hidden>
              …
            </li>
          ) : (
            <li key={mark}>
              <Link
                to={hrefOf(mark)}
                aria-label={messages.page(mark)}
                aria-current={mark === page ? 'page' : undefined}
                className={cn(
                  cell,
                  mark === page ? 'bg-primary text-on-primary' : 'hover:bg-sunken',
                )}
              >
                {mark}
              </Link>
            </li>
          ),
        )}
      </ol>
      <Step to={page < pages ? hrefOf(page + 1) : null} rel="next">
        <span className="max-sm:sr-only">{messages.next}</span>
        <ChevronRight className="size-5" strokeWidth={1.75} aria-hidden />
      </Step>
    </nav>
  )
}

function Step({
  to,
  rel,
  children,
}: {
  to: string | null
  rel: 'prev' | 'next'
  children: React.ReactNode
}) {
  const look = cn(cell, 'gap-1 px-3')
  if (to === null) {
    return (
      <span className={cn(look, 'text-muted')} aria-hidden>
        {children}
      </span>
    )
  }
  return (
    <Link to={to} rel={rel} className={cn(look, 'hover:bg-sunken')}>
      {children}
    </Link>
  )
}
