import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { PagedList } from '@/components/paged-list'
import { Badge } from '@/components/ui/badge'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { Tabs } from '@/components/ui/tabs'
import type { Zone } from '@/lib/time'
import { reviewCountsQuery, reviewsQuery } from '../api/queries'
import { messages } from '../messages'
import { type ReviewGroup, reviewGroups } from '../model/group'
import { ReviewItem } from './review-item'

type ReviewsPanelProps = {
  businessId: string
  zone: Zone
  /** The open group, stored in the URL. */
  group: ReviewGroup
  onGroup: (group: ReviewGroup) => void
  /** Called when a response was stored. */
  onResponded: () => void
}

/** The reviews by rating, and the business's responses (METRICS-33). */
export function ReviewsPanel({ businessId, zone, group, onGroup, onResponded }: ReviewsPanelProps) {
  const counts = useQuery(reviewCountsQuery(businessId))
  const badge = (key: ReviewGroup) => (counts.isPending ? '\u00a0' : (counts.data?.[key] ?? 0))
  return (
    <Tabs
      label={messages.groups}
      value={group}
      onChange={onGroup}
      tabs={reviewGroups.map((key) => ({
        key,
        label: messages.group[key],
        badge: <Badge className="nums min-w-6 justify-center">{badge(key)}</Badge>,
        content: (
          <ReviewList
            key={key}
            businessId={businessId}
            zone={zone}
            group={key}
            onResponded={onResponded}
          />
        ),
      }))}
    />
  )
}

function ReviewList({ businessId, zone, group, onResponded }: Omit<ReviewsPanelProps, 'onGroup'>) {
  const query = useInfiniteQuery(reviewsQuery(businessId, group))
  return (
    <PagedList
      query={query}
      pending={
        <SkeletonGroup label={messages.pending} className="grid gap-4">
          <Skeleton className="h-52 rounded-panel" />
          <Skeleton className="h-52 rounded-panel" />
        </SkeletonGroup>
      }
      empty={<p className="py-6 text-muted">{messages.empty}</p>}
      words={messages}
      className="grid gap-4"
    >
      {(review) => (
        <ReviewItem review={review} businessId={businessId} zone={zone} onResponded={onResponded} />
      )}
    </PagedList>
  )
}
