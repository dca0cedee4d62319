import type { ReactNode } from 'react'

type FormSectionProps = { title: string; text: ReactNode; children: ReactNode }

/** A section of a long form: its description on the left, if there is space, and its fields. */
export function FormSection({ title, text, children }: FormSectionProps) {
  return (
    <section className="grid gap-x-10 gap-y-5 border-line border-t pt-8 first:border-t-0 first:pt-0 lg:grid-cols-[15rem_minmax(0,1fr)]">
      <div className="grid content-start gap-1">
        <h2 className="text-lg">{title}</h2>
        <div className="max-w-text text-sm text-muted">{text}</div>
      </div>
      <div className="grid max-w-2xl content-start gap-5">{children}</div>
    </section>
  )
}
