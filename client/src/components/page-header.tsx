import type { ReactNode } from 'react'

type PageHeaderProps = {
  title: string
  text?: ReactNode
  /** Breadcrumb above the title. */
  above?: ReactNode
  /** Buttons on the right, below on phones. */
  actions?: ReactNode
}

/** The header of a screen, with its only h1. */
export function PageHeader({ title, text, above, actions }: PageHeaderProps) {
  return (
    <header className="grid gap-3 pt-8 pb-6">
      {above}
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div className="grid gap-1.5">
          <h1 className="text-2xl sm:text-3xl">{title}</h1>
          {text !== undefined && <p className="max-w-text text-muted">{text}</p>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-3">{actions}</div>}
      </div>
    </header>
  )
}
