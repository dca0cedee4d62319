import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'

/** A table that scrolls horizontally on narrow screens; its header stays visible. */
export function Table({
  caption,
  className,
  children,
  ...props
}: ComponentProps<'table'> & { caption: string }) {
  return (
    <section
      // Relative: elements for screen readers only are positioned absolutely, and would widen the
      // page. The padding keeps what gets the focus from below a row's actions.
      className="relative scroll-pe-48 overflow-x-auto rounded-card border border-line"
      aria-label={caption}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
      tabIndex={0}
    >
      <table className={cn('nums w-full border-collapse text-sm', className)} {...props}>
        <caption className="sr-only">{caption}</caption>
        {children}
      </table>
    </section>
  )
}

export function Th({ className, ...props }: ComponentProps<'th'>) {
  return (
    <th
      scope="col"
      className={cn(
        'sticky top-0 h-11 border-line border-b bg-surface px-4 text-start font-semibold text-muted whitespace-nowrap',
        className,
      )}
      {...props}
    />
  )
}

export function Td({ className, ...props }: ComponentProps<'td'>) {
  return <td className={cn('h-13 px-4 py-2 align-middle', className)} {...props} />
}

export function Tr({ className, ...props }: ComponentProps<'tr'>) {
  return (
    <tr
      className={cn('border-line not-last:border-b transition-colors hover:bg-sunken', className)}
      {...props}
    />
  )
}
