import { LoaderCircle } from 'lucide-react'
import { cn } from '@/lib/cn'
import { messages } from './messages'

/**
 * Shows that something is in progress; describe it in `label`, or omit it next to a text that does.
 */
export function Spinner({ label, className }: { label?: string; className?: string }) {
  return (
    <span className={cn('inline-flex items-center gap-2 text-muted', className)} role="status">
      <LoaderCircle className="size-[1.2em] animate-spin" strokeWidth={1.75} aria-hidden />
      {label === undefined ? <span className="sr-only">{messages.loading}</span> : label}
    </span>
  )
}
