import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { useShellAccount } from '@/app/layouts/use-account'
import { PageHeader } from '@/components/page-header'
import { ButtonLink } from '@/components/ui/button'
import { billingPage, checkoutPage } from '@/features/plans/api/mutations'
import { subscriptionQuery } from '@/features/plans/api/queries'
import { PlanList } from '@/features/plans/components/plan-list'
import { ProviderButton } from '@/features/plans/components/provider-button'
import { SubscriptionStatus } from '@/features/plans/components/subscription-status'
import { messages } from '@/features/plans/messages'
import { type BillingPeriod, type Plan, readCheckout } from '@/features/plans/model/plan'
import { language } from '@/lib/language'
import { pageTitle, usePageMeta } from '@/lib/page-meta'
import { paths } from '@/lib/paths'
import { rememberReturn } from '@/lib/return-path'
import infoPages from '../info-pages.json'

const { title, intro } = infoPages[language].plans

/** How long the page waits for a payment before it reports that it is late. */
const paymentTimeoutMs = 60_000

/**
 * The plans that sellers can subscribe to, and the state of their subscription (SUB-01 to SUB-06).
 */
export function Component() {
  usePageMeta({ title: pageTitle(title), description: intro })
  const account = useShellAccount()
  const { pathname } = useLocation()
  const [params] = useSearchParams()
  const checkout = readCheckout(params)
  const userId = account.status === 'signed-in' ? account.userId : ''
  const [isLate, setLate] = useState(false)
  const isConfirming = checkout === 'done' && !isLate
  const standing = useQuery({
    ...subscriptionQuery(userId, isConfirming),
    enabled: userId !== '',
  })
  const isActive = standing.data?.isSubscribed === true
  useEffect(() => {
    if (!isConfirming || isActive) return
    const timer = setTimeout(() => setLate(true), paymentTimeoutMs)
    return () => clearTimeout(timer)
  }, [isConfirming, isActive])
  const maySubscribe = account.role === 'owner' || account.role === 'admin'

  const action = (plan: Plan, period: BillingPeriod, isCurrent: boolean) => {
    if (plan.monthly === 0) return null
    if (account.status !== 'signed-in') {
      return (
        <ButtonLink to={paths.auth} variant="outline" onClick={() => rememberReturn(pathname)}>
          {messages.signIn}
        </ButtonLink>
      )
    }
    if (!maySubscribe) {
      return (
        <ButtonLink to={paths.becomeSeller} variant="outline">
          {messages.becomeSeller}
        </ButtonLink>
      )
    }
    return isCurrent ? (
      <ManageButton />
    ) : (
      <ProviderButton page={() => checkoutPage(plan.id, period)} failed={messages.upgradeFailed}>
        {messages.upgrade(plan.name)}
      </ProviderButton>
    )
  }

  return (
    <div className="page max-w-[72rem] pb-16">
      <PageHeader title={title} text={intro} />
      <div className="grid gap-6">
        {maySubscribe && (
          <SubscriptionStatus
            subscription={standing.data}
            isFailed={standing.isError}
            checkout={checkout}
            isLate={isLate}
          />
        )}
        <PlanList subscription={maySubscribe ? standing.data : undefined} action={action} />
      </div>
    </div>
  )
}

function ManageButton() {
  return (
    <ProviderButton variant="outline" page={billingPage} failed={messages.portalFailed}>
      {messages.manage}
    </ProviderButton>
  )
}
