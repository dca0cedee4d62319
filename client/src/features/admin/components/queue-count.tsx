import { useQuery } from '@tanstack/react-query'
import { Badge } from '@/components/ui/badge'
import { countText } from '@/lib/formats'
import { queueQuery } from '../api/queue'
import { messages } from '../messages'
import type { Queue } from '../model/tabs'

/** How much of a queue waits for an admin; nothing if there is none. */
export function QueueCount({ queue }: { queue: Queue }) {
  const { data } = useQuery(queueQuery)
  const count = data?.[queue] ?? 0
  if (count === 0) return null
  // relative: the hidden word must scroll with the row of tabs.
  return (
    <Badge tone="primary" className="nums relative">
      {countText(count)} <span className="sr-only">{messages.waiting}</span>
    </Badge>
  )
}
