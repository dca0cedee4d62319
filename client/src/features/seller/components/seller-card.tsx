import { useQuery } from '@tanstack/react-query'
import { QueryState } from '@/components/query-state'
import { ButtonLink } from '@/components/ui/button'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { Widget } from '@/components/widget'
import { applicationQuery } from '../api/queries'
import { messages } from '../messages'
import { stateOf } from '../model/state'
import { nextStep, StateLine } from './state-line'

/** The state of the user's seller application, in four states (DASH-06, SELLER-03 to SELLER-06). */
export function SellerCard({ userId }: { userId: string }) {
  const query = useQuery(applicationQuery(userId))
  return (
    <Widget title={messages.card}>
      <QueryState
        query={query}
        errorTitle={messages.failed}
        pending={
          <SkeletonGroup label={messages.pending} className="grid gap-4">
            <Skeleton className="h-16" />
            <Skeleton className="h-11 w-36" />
          </SkeletonGroup>
        }
      >
        {(application) => {
          const state = stateOf(application)
          return (
            <div className="grid justify-items-start gap-4">
              <StateLine state={state} headingLevel="h3" />
              <ButtonLink
                to={nextStep[state]}
                variant={state === 'none' || state === 'approved' ? 'primary' : 'outline'}
              >
                {messages.state[state].action}
              </ButtonLink>
            </div>
          )
        }}
      </QueryState>
    </Widget>
  )
}
