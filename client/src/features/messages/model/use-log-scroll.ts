import { useLayoutEffect, useRef } from 'react'
import type { Message } from './message'

/** The distance from the end, in pixels, at which a reader still sees what is added there. */
const nearEnd = 80

const distanceFromEnd = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement) =>
  scrollHeight - scrollTop - clientHeight

/**
 * Scrolls a log to its end when it opens, and for a new message if the reader is there or sent it.
 * Earlier messages, added above, leave those that are shown where they are.
 */
export function useLogScroll(newestFirst: readonly Message[]) {
  const box = useRef<HTMLDivElement>(null)
  const fromEnd = useRef(0)
  const shown = useRef<string>(undefined)
  const newest = newestFirst[0]
  const oldest = newestFirst.at(-1)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a message that is read does not scroll
  useLayoutEffect(() => {
    const node = box.current
    if (!node || !newest) return
    const isNew = newest.id !== shown.current
    const isAtEnd = fromEnd.current <= nearEnd
    if (isNew && (isAtEnd || newest.isMine)) node.scrollTop = node.scrollHeight
    if (!isNew) node.scrollTop = node.scrollHeight - node.clientHeight - fromEnd.current
    shown.current = newest.id
    fromEnd.current = distanceFromEnd(node)
  }, [newest?.id, oldest?.id])

  const onScroll = () => {
    if (box.current) fromEnd.current = distanceFromEnd(box.current)
  }
  return { box, onScroll }
}
