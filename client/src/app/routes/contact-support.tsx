import { Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { lazyPart } from '@/components/lazy-part'
import { Skeleton } from '@/components/ui/skeleton'
import { usePlanLimits } from './use-plan-limits'

const SupportPanel = lazyPart(
  async () => (await import('@/features/support/components/support-panel')).SupportPanel,
)

/** Questions to the administrators, and whether the user's plan has priority support (SUB-07). */
export function ContactSupport({ userId, isAdmin }: { userId: string; isAdmin: boolean }) {
  const [params, setParams] = useSearchParams()
  const { isPending, isUnknown, has } = usePlanLimits(userId, isAdmin)
  return (
    <Suspense fallback={<SupportSkeleton />}>
      <SupportPanel
        key={userId}
        userId={userId}
        isPriority={!isAdmin && !isPending && !isUnknown && has('support')}
        openId={params.get('ticket') ?? ''}
        onOpen={(id) =>
          setParams(id === '' ? {} : { ticket: id }, { replace: true, preventScrollReset: true })
        }
      />
    </Suspense>
  )
}

/** As high as the form that replaces it. */
export function SupportSkeleton() {
  return <Skeleton className="h-120 max-w-text rounded-panel" />
}
