import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { TileCover } from '@/components/tile/tile-cover'
import { paths } from '@/lib/paths'
import { messages } from '../messages'

/** The layout of all sign-in screens: one column with a border of tiles. */
export function AuthFrame({
  title,
  text,
  children,
}: {
  title: string
  text?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="page grid justify-items-center py-6 sm:py-12">
      <div className="grid w-full max-w-[30rem] gap-3">
        <Link
          to={paths.home}
          className="hit inline-flex items-center gap-2 justify-self-start rounded-chip text-sm font-semibold text-muted hover:text-ink"
        >
          <ArrowLeft className="size-4" strokeWidth={1.75} aria-hidden />
          {messages.backToHome}
        </Link>
        <div className="relative overflow-hidden rounded-panel p-3 sm:p-4">
          <TileCover category="hotelstravel" zoom={0.4} className="absolute inset-0" />
          <div className="relative grid gap-6 rounded-control bg-surface px-4 py-6 sm:px-8 sm:py-8">
            <div className="grid gap-2">
              <h1 className="text-2xl">{title}</h1>
              {text !== undefined && <p className="text-muted">{text}</p>}
            </div>
            {children}
          </div>
        </div>
      </div>
    </div>
  )
}
