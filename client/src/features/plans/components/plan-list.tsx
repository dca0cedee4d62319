import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { QueryState } from '@/components/query-state'
import { EmptyState } from '@/components/ui/empty-state'
import { Skeleton } from '@/components/ui/skeleton'
import { plansQuery } from '../api/queries'
import { messages } from '../messages'
import { type BillingPeriod, type Plan, planInForce, type Subscription } from '../model/plan'
import { PeriodSwitch } from './period-switch'
import { PlanCard } from './plan-card'

type PlanListProps = {
  /** The user's subscription; undefined while it is loading, and for visitors. */
  subscription: Subscription | undefined
  action: (plan: Plan, period: BillingPeriod, isCurrent: boolean) => ReactNode
}

/** All plans side by side (SUB-02). */
export function PlanList({ subscription, action }: PlanListProps) {
  const [period, setPeriod] = useState<BillingPeriod>('monthly')
  const plans: UseQueryResult<Plan[]> = useQuery(plansQuery)
  return (
    <QueryState
      query={plans}
      pending={<PlanSkeleton />}
      errorTitle={messages.plansFailed}
      isEmpty={(list) => list.length === 0}
      empty={<EmptyState title={messages.noPlans} />}
    >
      {(list) => {
        const current = subscription && planInForce(list, subscription)
        return (
          <div className="grid justify-items-start gap-6">
            <PeriodSwitch value={period} onChange={setPeriod} />
            <div className="grid w-full gap-5 md:grid-cols-3">
              {list.map((plan) => (
                <PlanCard
                  key={plan.id}
                  plan={plan}
                  period={period}
                  isCurrent={plan.id === current?.id}
                  action={action(plan, period, plan.id === current?.id)}
                />
              ))}
            </div>
          </div>
        )
      }}
    </QueryState>
  )
}

function PlanSkeleton() {
  return (
    <div className="grid gap-6" aria-hidden>
      <Skeleton className="h-13.5 w-52" />
      <div className="grid gap-5 md:grid-cols-3">
        {['one', 'two', 'three'].map((key) => (
          <Skeleton key={key} className="h-110" />
        ))}
      </div>
    </div>
  )
}
