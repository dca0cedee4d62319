import { type ReactNode, useId } from 'react'

type SettingProps = { title: string; text: ReactNode; children: ReactNode }

/** A setting: its description on the left, its control on the right, or below on phones. */
export function Setting({ title, text, children }: SettingProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-10 gap-y-4 border-line border-t py-8 first:border-0 first:pt-0 md:grid-cols-[16rem_minmax(0,30rem)]"
    >
      <div className="grid content-start gap-1.5">
        <h2 id={id} className="text-xl">
          {title}
        </h2>
        <div className="text-sm text-muted">{text}</div>
      </div>
      <div>{children}</div>
    </section>
  )
}
