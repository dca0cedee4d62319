import { useQuery } from '@tanstack/react-query'
import { QueryState } from '@/components/query-state'
import { Alert } from '@/components/ui/alert'
import { ButtonLink } from '@/components/ui/button'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { Switch } from '@/components/ui/switch'
import { showToast } from '@/components/ui/toast'
import { describeError } from '@/lib/error-text'
import { toAppError } from '@/lib/errors'
import { paths } from '@/lib/paths'
import { useSetPromotion } from '../api/mutations'
import { promotionQuery } from '../api/queries'
import { messages } from '../messages'

type PromotionProps = {
  businessId: string
  /** Whether the plan includes promoted places (SUB-07). */
  isAllowed: boolean
  /** Called when the order of lists may have changed. */
  onChanged: () => void
}

/** Requests a promoted place in lists, or describes it if the plan does not include one. */
export function Promotion({ businessId, isAllowed, onChanged }: PromotionProps) {
  return (
    <section
      aria-label={messages.promote}
      className="rounded-panel border border-line bg-surface px-4 py-2 sm:px-5"
    >
      {isAllowed ? (
        <PromotionSwitch businessId={businessId} onChanged={onChanged} />
      ) : (
        <PromotionOffer />
      )}
    </section>
  )
}

function PromotionSwitch({ businessId, onChanged }: Omit<PromotionProps, 'isAllowed'>) {
  const query = useQuery(promotionQuery(businessId))
  const { mutate, error } = useSetPromotion(businessId, onChanged)
  const set = (isPromoted: boolean) =>
    mutate(isPromoted, {
      onSuccess: () =>
        showToast({
          title: isPromoted ? messages.promoted : messages.notPromoted,
          tone: 'success',
        }),
    })
  return (
    <QueryState
      query={query}
      errorTitle={messages.promoteLoadFailed}
      pending={
        <SkeletonGroup label={messages.promotePending} className="py-3">
          <Skeleton className="h-11" />
        </SkeletonGroup>
      }
    >
      {(isPromoted) => (
        <>
          <Switch
            label={messages.promote}
            help={messages.promoteText}
            checked={isPromoted}
            onChange={({ target }) => set(target.checked)}
          />
          {error && <PromotionError error={error} />}
        </>
      )}
    </QueryState>
  )
}

function PromotionError({ error }: { error: Error }) {
  const isOfPlan = toAppError(error).code === 'plan_promoted'
  return (
    <div className="pb-3">
      <Alert
        tone="danger"
        title={isOfPlan ? messages.promoteRefused : messages.promoteFailed}
        {...(isOfPlan && { action: <PlansLink /> })}
      >
        {isOfPlan ? messages.promoteRefusedText : describeError(error)}
      </Alert>
    </div>
  )
}

function PromotionOffer() {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-3">
      <div className="grid max-w-[60ch] gap-0.5">
        <h3 className="font-semibold text-base">{messages.promote}</h3>
        <p className="text-muted text-sm">{messages.promoteOffer}</p>
      </div>
      <PlansLink />
    </div>
  )
}

function PlansLink() {
  return (
    <ButtonLink to={paths.plans} variant="outline">
      {messages.plans}
    </ButtonLink>
  )
}
