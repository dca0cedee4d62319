import type { ReactNode } from 'react'

type AlternativeSectionProps = { title: string; text?: string; children?: ReactNode }

/** An alternative to a search without results. */
export function AlternativeSection({ title, text, children }: AlternativeSectionProps) {
  return (
    <section className="grid content-start gap-2 border-line border-t pt-5">
      <h4 className="font-semibold">{title}</h4>
      {text !== undefined && <p className="text-sm text-muted">{text}</p>}
      <div className="mt-1 flex min-h-11 flex-wrap gap-2">{children}</div>
    </section>
  )
}
