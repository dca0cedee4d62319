import { ArrowLeft } from 'lucide-react'
import { Link } from 'react-router'

/** A link from a part of a panel back to the whole panel. */
export function BackLink({ to, text }: { to: string; text: string }) {
  return (
    <div>
      <Link to={to} className="inline-flex min-h-11 items-center gap-2 font-semibold text-primary">
        <ArrowLeft className="size-4.5" strokeWidth={1.75} aria-hidden />
        {text}
      </Link>
    </div>
  )
}
