import { ChevronRight } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'react-router'
import { messages } from './messages'

export type Crumb = { label: ReactNode; key: string; to?: string }

/** The path to this page; the last item is the current page. */
export function Breadcrumb({ crumbs }: { crumbs: Crumb[] }) {
  return (
    <nav aria-label={messages.breadcrumb}>
      <ol className="flex flex-wrap items-center gap-1.5 text-sm text-muted">
        {crumbs.map((crumb, index) => (
          <Fragment key={crumb.key}>
            {index > 0 && (
              <li aria-hidden>
                <ChevronRight className="size-4" strokeWidth={1.75} />
              </li>
            )}
            <li aria-current={index === crumbs.length - 1 ? 'page' : undefined}>
              {crumb.to === undefined ? (
                crumb.label
              ) : (
                <Link to={crumb.to} className="reach hover:text-ink hover:underline">
                  {crumb.label}
                </Link>
              )}
            </li>
          </Fragment>
        ))}
      </ol>
    </nav>
  )
}
