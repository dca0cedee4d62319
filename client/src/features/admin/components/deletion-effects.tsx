import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { messages } from '../messages'

type DeletionEffectsProps<T> = {
  query: UseQueryResult<T>
  /** The expected number of lines. */
  lines: number
  children: (counts: T) => ReactNode
}

/**
 * The consequences of a deletion, once they are counted; the deletion does not have to wait for
 * them.
 */
export function DeletionEffects<T>({ query, lines, children }: DeletionEffectsProps<T>) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <p className="text-sm text-muted">{messages.countFailed}</p>
  return (
    <SkeletonGroup label={messages.counting} className="grid gap-1">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are all alike
        <Skeleton key={line} className="my-1 h-3 w-56" />
      ))}
    </SkeletonGroup>
  )
}
