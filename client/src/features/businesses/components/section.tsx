import { type ReactNode, useId } from 'react'

/** A titled section of the business page. */
export function Section({
  title,
  id,
  aside,
  children,
}: {
  title: string
  /** For links to this section. */
  id?: string
  aside?: ReactNode
  children: ReactNode
}) {
  const headingId = useId()
  return (
    <section id={id} aria-labelledby={headingId} className="grid scroll-mt-20 gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id={headingId} className="text-xl">
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  )
}
