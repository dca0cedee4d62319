import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge } from '@/components/ui/badge'
import { cn } from '@/lib/cn'
import { formatMoney } from '@/lib/money'
import { messages } from '../messages'
import { type BillingPeriod, type Plan, yearlySaving } from '../model/plan'

type PlanCardProps = {
  plan: Plan
  period: BillingPeriod
  isCurrent: boolean
  /** The plan's button. */
  action: ReactNode
}

/** A plan: its price, what it includes, and how to get it. */
export function PlanCard({ plan, period, isCurrent, action }: PlanCardProps) {
  const isFree = plan.monthly === 0
  const saving = yearlySaving(plan)
  const lines = [
    messages.includedInAll,
    messages.businesses(plan.businesses),
    messages.photos(plan.photos),
    messages.description(plan.descriptionLength),
    ...plan.features.map((feature) => messages.features[feature]),
  ]
  return (
    <article
      aria-labelledby={`plan-${plan.id}`}
      className={cn(
        'flex flex-col gap-5 rounded-card border bg-surface p-6',
        isCurrent ? 'border-primary' : 'border-line',
      )}
    >
      <header className="grid gap-1">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h2 id={`plan-${plan.id}`} className="text-xl">
            {plan.name}
          </h2>
          {isCurrent && <Badge tone="primary">{messages.current}</Badge>}
        </div>
        <p className="text-muted">{messages.purposes[plan.description] ?? plan.description}</p>
      </header>
      <p className="nums flex flex-wrap items-baseline gap-x-2">
        <span className="font-display text-3xl font-semibold">
          {isFree ? messages.free : formatMoney(period === 'yearly' ? plan.yearly : plan.monthly)}
        </span>
        {!isFree && (
          <span className="text-muted">
            {period === 'yearly' ? messages.perYear : messages.perMonth}
          </span>
        )}
        {!isFree && period === 'yearly' && saving > 0 && (
          <span className="basis-full text-sm text-success">
            {messages.saves(formatMoney(saving))}
          </span>
        )}
      </p>
      <ul className="grid flex-1 content-start gap-2">
        {lines.map((line) => (
          <li key={line} className="flex items-start gap-2">
            <Check className="mt-0.5 size-5 shrink-0 text-success" strokeWidth={1.75} aria-hidden />
            {line}
          </li>
        ))}
      </ul>
      {action}
    </article>
  )
}
