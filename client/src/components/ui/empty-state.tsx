import type { ReactNode } from 'react'
import { TileMark } from '@/components/tile/tile-mark'

/** Shown when there is nothing yet: a tile, one sentence, one action. */
export function EmptyState({
  title,
  text,
  action,
  as: Heading = 'h2',
}: {
  title: string
  text?: ReactNode
  action?: ReactNode
  as?: 'h1' | 'h2' | 'h3'
}) {
  return (
    <div className="grid justify-items-center gap-3 px-4 py-14 text-center">
      <TileMark seed={title} className="mb-2 size-20 rounded-card" />
      <Heading className="text-xl">{title}</Heading>
      {text !== undefined && <p className="max-w-[44ch] text-muted">{text}</p>}
      {action !== undefined && (
        <div className="mt-3 flex flex-wrap justify-center gap-3">{action}</div>
      )}
    </div>
  )
}
