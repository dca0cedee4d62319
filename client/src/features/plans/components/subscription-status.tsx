import { Alert } from '@/components/ui/alert'
import { formatDay } from '@/lib/time'
import { messages } from '../messages'
import type { Subscription } from '../model/plan'

type SubscriptionStatusProps = {
  subscription: Subscription | undefined
  isFailed: boolean
  checkout: 'done' | 'cancelled' | undefined
  /** The payment was not confirmed in time. */
  isLate: boolean
}

/** The state of the subscription, and the result of a checkout that redirected back here. */
export function SubscriptionStatus({
  subscription,
  isFailed,
  checkout,
  isLate,
}: SubscriptionStatusProps) {
  if (isFailed && subscription === undefined) {
    return <Alert tone="danger" title={messages.checkFailed} />
  }
  if (checkout === 'cancelled') {
    return <Alert title={messages.cancelled}>{messages.cancelledText}</Alert>
  }
  if (checkout === 'done' && subscription?.isSubscribed !== true) {
    return isLate ? (
      <Alert tone="warning" title={messages.late}>
        {messages.lateText}
      </Alert>
    ) : (
      <Alert title={messages.confirming}>{messages.confirmingText}</Alert>
    )
  }
  if (subscription === undefined) return null
  const { isSubscribed, planName, end } = subscription
  if (!isSubscribed) return <p className="text-muted">{messages.none}</p>
  const plan = planName ?? ''
  if (checkout === 'done') {
    return (
      <Alert tone="success" title={messages.done(plan)}>
        {messages.doneText}
      </Alert>
    )
  }
  return (
    <p className="text-muted">
      {end === null
        ? messages.active(plan)
        : messages.paidUntil(plan, formatDay(end.slice(0, 10), 'long'))}
    </p>
  )
}
