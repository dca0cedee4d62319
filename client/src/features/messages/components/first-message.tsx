import { useQuery } from '@tanstack/react-query'
import { QueryState } from '@/components/query-state'
import { EmptyState } from '@/components/ui/empty-state'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { recipientQuery } from '../api/queries'
import { messages } from '../messages'
import { Composer } from './composer'
import { PaneHeading } from './pane-heading'

type FirstMessageProps = {
  userId: string
  businessId: string
  topCategoryOf: (category: string) => string
  onSent: (conversationId: string | null) => void
}

/** The start of a conversation with a business (MSG-01). */
export function FirstMessage({ userId, businessId, topCategoryOf, onSent }: FirstMessageProps) {
  const query = useQuery(recipientQuery(businessId))
  return (
    <QueryState
      query={query}
      errorTitle={messages.error}
      pending={
        <SkeletonGroup label={messages.pending} className="p-3">
          <Skeleton className="h-11 rounded-control" />
        </SkeletonGroup>
      }
      isEmpty={(business) => business === null}
      empty={<EmptyState title={messages.gone} text={messages.choose} />}
    >
      {(business) =>
        business && (
          <section
            aria-label={messages.log(business.name)}
            className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto]"
          >
            <PaneHeading
              party={{
                business: {
                  id: business.id,
                  name: business.name,
                  imageUrl: business.image_url || null,
                  category: business.category_code ?? business.type,
                },
                isOwner: false,
                name: business.name,
                avatarUrl: null,
              }}
              topCategoryOf={topCategoryOf}
            />
            <p className="self-center justify-self-center p-4 text-center text-muted">
              {messages.first(business.name)}
            </p>
            <Composer userId={userId} businessId={business.id} customerId={null} onSent={onSent} />
          </section>
        )
      }
    </QueryState>
  )
}
