import { type ReactNode, useId } from 'react'
import { cn } from '@/lib/cn'

type WidgetProps = {
  title: string
  /** A link to the complete list. */
  action?: ReactNode
  className?: string
  children: ReactNode
}

/** A section of a dashboard: a title, a few items, and a link to all of them. */
export function Widget({ title, action, className, children }: WidgetProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className={cn(
        'flex flex-col gap-3 rounded-panel border border-line bg-surface p-4 sm:p-5',
        className,
      )}
    >
      <h2 id={id} className="text-xl">
        {title}
      </h2>
      <div className="min-w-0 flex-1">{children}</div>
      {action !== undefined && <div className="flex flex-wrap gap-3">{action}</div>}
    </section>
  )
}
