import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { useShellAccount } from '@/app/layouts/use-account'
import { Skeleton } from '@/components/ui/skeleton'
import { Tabs } from '@/components/ui/tabs'
import { businessKeys } from '@/features/businesses/api/keys'
import { ownerKeys } from '@/features/owner/api/keys'
import type { EditedBusiness } from '@/features/owner/api/queries'
import { EditFrame } from '@/features/owner/components/edit-frame'
import { messages } from '@/features/owner/messages'
import { editTabs, readEditTab } from '@/features/owner/model/edit-tab'
import { pageTitle, usePageMeta } from '@/lib/page-meta'
import { paths } from '@/lib/paths'
import { usePlanLimits } from './use-plan-limits'

const PhotosPanel = lazy(async () => ({
  default: (await import('@/features/photos/components/photos-panel')).PhotosPanel,
}))

const waiting = <Skeleton className="h-44 rounded-panel" />

/** Edits a business, at either of its addresses (ROUTE-30, OWNER-03). */
export function Component() {
  usePageMeta({ title: pageTitle(messages.editTitle) })
  const { id = '' } = useParams()
  const navigate = useNavigate()
  const account = useShellAccount()
  const handleGiveUp = useCallback(
    () => void navigate(paths.myBusinesses, { replace: true }),
    [navigate],
  )
  if (account.status !== 'signed-in') return null
  const { userId, role } = account
  return (
    <div className="page pb-16">
      <EditFrame id={id} userId={userId} isAdmin={role === 'admin'} onGiveUp={handleGiveUp}>
        {(business) => <Parts business={business} userId={userId} isAdmin={role === 'admin'} />}
      </EditFrame>
    </div>
  )
}

type PartsProps = { business: EditedBusiness; userId: string; isAdmin: boolean }

function Parts({ business, userId, isAdmin }: PartsProps) {
  const client = useQueryClient()
  const [params, setParams] = useSearchParams()
  const { isPending, limits } = usePlanLimits(userId, isAdmin)
  const handleChanged = useCallback(() => {
    for (const key of [ownerKeys.all, businessKeys.all]) {
      void client.invalidateQueries({ queryKey: key })
    }
  }, [client])
  const content = {
    photos: isPending ? (
      waiting
    ) : (
      <Suspense fallback={waiting}>
        <PhotosPanel
          userId={userId}
          businessId={business.id}
          cover={business.image_url}
          allowed={limits.photos}
          plansHref={paths.plans}
          onChanged={handleChanged}
        />
      </Suspense>
    ),
  }
  return (
    <Tabs
      label={messages.tabs}
      value={readEditTab(params)}
      onChange={(tab) => setParams({ tab }, { preventScrollReset: true })}
      tabs={editTabs.map((key) => ({
        key,
        label: messages.tab[key],
        content: content[key],
      }))}
    />
  )
}
